"""Renders the frames of a shot: the set once, then the players and props of every frame.

Pictures are traced `OVER` times as fine as the film and shrunk, which smooths their edges.
Everything is done in plain arrays, so frames of one shot can be made by several threads.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from callsheet.theatre.stage import body, contact, moves, props, shading, tracing
from callsheet.theatre.stage.camera import Camera
from callsheet.theatre.stage.face import Expression, paint_face
from callsheet.theatre.stage.looks import Look
from callsheet.theatre.stage.moves import MOVES, Moment
from callsheet.theatre.stage.pose import HEAD, Stance, stand
from callsheet.theatre.stage.sets import Set, build_set
from callsheet.theatre.stage.shot import FPS, Player, Shot
from callsheet.theatre.stage.solids import Panel, Solids, union_box
from callsheet.theatre.stage.vectors import Array, dot, placed, unit

WIDTH, HEIGHT = 640, 360
OVER = 1.5
_ROWS, _COLUMNS = 540, 960
_FAR = 200.0

Frame = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Seen:
    """What a frame truly shows of one player: boxes (x, y, w, h) in film pixels, or None."""

    person: int
    body: tuple[float, float, float, float] | None
    face: tuple[float, float, float, float] | None


class _Buffers(threading.local):
    """Scratch of one thread: which solid owns a pixel (-1 between uses), and its normal."""

    def __init__(self) -> None:
        self.owner = np.empty((0, 0), np.int32)
        self.normal = np.empty((0, 0, 3), np.float32)


_BUFFERS = _Buffers()


def _scratch(shape: tuple[int, int]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float32]]:
    if _BUFFERS.owner.shape != shape:
        _BUFFERS.owner = np.full(shape, -1, np.int32)
        _BUFFERS.normal = np.empty((*shape, 3), np.float32)
    return _BUFFERS.owner, _BUFFERS.normal


@dataclass(slots=True)
class _Canvas:
    """The buffers the kernels write, and the camera they are seen by."""

    colour: npt.NDArray[np.uint8]
    depth: npt.NDArray[np.float32]
    code: npt.NDArray[np.int16]
    camera: Camera
    light: Array

    @property
    def shape(self) -> tuple[int, int]:
        rows, columns = self.depth.shape
        return rows, columns

    def draw_panels(
        self, panels: Sequence[Panel], textures: dict[str, npt.NDArray[np.uint8]]
    ) -> None:
        right, up, forward = self.camera.axes()
        eye, lens = np.array(self.camera.eye), self.camera.lens()
        for panel in panels:
            row = panel.row(self.camera, self.shape)
            tracing.trace_panel(self.colour, self.depth, self.code, row, textures[panel.texture],
                                right, up, forward, eye, lens, self.light)  # fmt: skip

    def draw_solids(self, solids: Solids, materials: Array, face: npt.NDArray[np.uint8], frames: Array) -> None:  # fmt: skip  # noqa: E501
        if not solids.starts:
            return
        right, up, forward = self.camera.axes()
        eye, lens = np.array(self.camera.eye), self.camera.lens()
        rows = solids.pack(self.camera, self.shape)
        box = np.array(union_box(rows))
        owner, normal = _scratch(self.shape)
        tracing.trace_solids(self.depth, owner, rows, right, up, forward, lens)
        shading.solid_normals(
            normal, self.depth, owner, rows, materials, right, up, forward, lens, box
        )
        shading.shade_solids(
            self.colour,
            self.depth,
            self.code,
            owner,
            normal,
            rows,
            materials,
            face,
            frames,
            right,
            up,
            forward,
            eye,
            lens,
            self.light,
            box,
        )

    def drop_shadow(self, place: Array, radius: float, strength: float) -> None:
        right, up, forward = self.camera.axes()
        x, y, depth = self.camera.project(place[None])[0]
        reach = self.camera.focal * radius * 2.6 / depth
        rows, columns = self.shape
        box = np.clip(
            [x - reach, y - reach, x + reach, y + reach], 0, [columns, rows, columns, rows]
        )
        tracing.drop_shadow(
            self.colour,
            self.depth,
            np.array([*place, radius, strength]),
            right,
            up,
            forward,
            np.array(self.camera.eye),
            self.camera.lens(),
            box.astype(np.int64),
        )


_NO_FACE = np.zeros((2, 2, 3), dtype=np.uint8)
_NO_FRAMES = np.zeros(26)


class ShotPainter:
    """Paints any frame of one shot. `company` holds the looks of all who play in the film."""

    def __init__(self, shot: Shot, company: Sequence[Look], *, seed: int) -> None:
        self.shot = shot
        self.company = company
        self._camera = shot.framing.camera(_ROWS, _COLUMNS)
        self._shift = np.array(shot.framing.pan) * self._camera.focal / (shot.framing.high * 1.7)
        self._place = _set(shot.place, shot.place_seed)
        self._backdrop = self._draw_backdrop()
        self._materials = {p.person: body.materials(company[p.person]) for p in shot.players}
        rng = np.random.default_rng(seed)
        grains = rng.integers(-5, 6, (HEIGHT + 64, WIDTH + 64, 1), dtype=np.int16)
        self._grains = np.repeat(grains, 3, axis=2)
        warmth = np.array([1 + shot.warmth, 1.0, 1 - shot.warmth], dtype=np.float32)
        self._gain = _vignette() * (shot.light * warmth)

    def _draw_backdrop(self) -> _Canvas:
        """The set, wide enough for the whole pan."""
        extra = np.ceil(np.abs(self._shift)).astype(int)
        rows, columns = _ROWS + extra[1], _COLUMNS + extra[0]
        left, top = max(0.0, -self._shift[0]), max(0.0, self._shift[1])
        canvas = _Canvas(
            np.zeros((rows, columns, 3), np.uint8), np.full((rows, columns), _FAR, np.float32),
            np.full((rows, columns), -1, np.int16),
            self._camera.shifted(float(np.ceil(left)), float(np.ceil(top))), self._place.light,
        )  # fmt: skip
        canvas.draw_panels(self._place.panels, self._place.textures)
        materials = np.array([m.row() for m in self._place.materials])
        canvas.draw_solids(self._place.solids, materials, _NO_FACE, _NO_FRAMES)
        return canvas

    def paint(self, number: int) -> tuple[Frame, list[Seen]]:
        """Frame `number` of the shot, (HEIGHT, WIDTH, 3) RGB, and what it truly shows."""
        time = number / FPS
        canvas = self._fresh(time / self.shot.seconds)
        moments = [self._moment(player, time) for player in self.shot.players]
        stances = self._stances(moments)
        for stance in stances:
            for ankle in stance.ankles:
                canvas.drop_shadow(
                    np.array([ankle[0], max(0.0, ankle[1] - 0.08), ankle[2]]), 0.20, 0.55
                )
            canvas.drop_shadow(np.array([stance.pelvis[0], 0.0, stance.pelvis[2]]), 0.42, 0.4)
        self._draw_props(canvas, time, stances)
        for player, moment, stance in zip(self.shot.players, moments, stances, strict=True):
            self._draw_player(canvas, player, moment, stance)
        seen = [_seen(canvas, player, n, stances[n]) for n, player in enumerate(self.shot.players)]
        return self._finish(canvas.colour, number), seen

    def _fresh(self, share: float) -> _Canvas:
        """A copy of the backdrop's part that this frame shows."""
        back = self._backdrop
        at = moves.smooth(share) * self._shift
        left = int(np.ceil(max(0.0, -self._shift[0])) + round(at[0]))
        top = int(np.ceil(max(0.0, self._shift[1])) - round(at[1]))
        rows = slice(max(0, top), max(0, top) + _ROWS)
        columns = slice(max(0, left), max(0, left) + _COLUMNS)
        return _Canvas(
            back.colour[rows, columns].copy(), back.depth[rows, columns].copy(),
            back.code[rows, columns].copy(),
            back.camera.shifted(-columns.start, -rows.start), back.light,
        )  # fmt: skip

    def _moment(self, player: Player, time: float) -> Moment:
        talks = 0.0
        for talk in self.shot.talks:
            if talk.person == player.person:
                inside = min(time - talk.start, talk.end - time)
                talks = max(talks, moves.smooth(inside / 0.15))
        height = self.company[player.person].height
        return Moment(time, self.shot.seconds, height, player.phase, player.role, talks)

    def _stances(self, moments: list[Moment]) -> list[Stance]:
        poses = [MOVES[p.move](m) for p, m in zip(self.shot.players, moments, strict=True)]
        turns = [p.look + p.glance * moves.glance(m.share)
                 for p, m in zip(self.shot.players, moments, strict=True)]  # fmt: skip
        poses = [pose.moved(look=turn) for pose, turn in zip(poses, turns, strict=True)]
        free = [stand(pose, p.mark, m.height) for p, pose, m in zip(self.shot.players, poses, moments, strict=True)]  # fmt: skip  # noqa: E501
        stances = []
        for n, (player, moment) in enumerate(zip(self.shot.players, moments, strict=True)):
            partners = [
                free[k] for k, p in enumerate(self.shot.players) if k != n and p.move == player.move
            ]
            reach = contact.reach_of(player.move, moment, free[n], partners)
            stances.append(
                stand(poses[n], player.mark, moment.height, reach=reach) if reach else free[n]
            )
        return stances

    def _draw_props(self, canvas: _Canvas, time: float, stances: list[Stance]) -> None:
        hand = props.Hand(time / self.shot.seconds, time, stances)
        for name in self.shot.props:
            props.PROPS[name](hand)
        for player, stance in zip(self.shot.players, stances, strict=True):
            if player.move in props.HELD:
                hand.stances = (stance,)
                props.HELD[player.move](hand)
        # Glass lets through what is drawn before it, so panels come in order, far ones first.
        canvas.draw_panels(hand.panels, self._place.textures)
        canvas.draw_solids(hand.solids, props.MATERIALS, _NO_FACE, _NO_FRAMES)

    def _draw_player(self, canvas: _Canvas, player: Player, moment: Moment, stance: Stance) -> None:
        look = self.company[player.person]
        number = self.shot.players.index(player)
        face = _face(look, _expression(player, moment))
        canvas.draw_solids(body.clothe(look, stance, number), self._materials[player.person], face,
                           body.own_frames(look, stance))  # fmt: skip

    def _finish(self, colour: npt.NDArray[np.uint8], number: int) -> Frame:
        """Shrink, grade, and add the grain of film."""
        small = cv2.resize(colour, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
        swing = 1.0 + self.shot.flicker * np.sin(number * 0.9) * np.sin(number * 0.37)
        swing *= self.shot.dimmed(number)
        graded = cv2.multiply(small, self._gain, scale=float(swing), dtype=cv2.CV_8U)
        top, left = (number * 37) % 64, (number * 23) % 64
        grain = self._grains[top : top + HEIGHT, left : left + WIDTH]
        frame: Frame = cv2.add(graded, grain, dtype=cv2.CV_8U)
        return frame


def _expression(player: Player, moment: Moment) -> Expression:
    """Mouth and lids, in few steps, so that painted faces can be used again."""
    t, p = moment.time, moment.phase
    syllable = 0.5 + 0.5 * np.sin(2 * np.pi * 4.3 * t + 3 * np.sin(2 * np.pi * 0.9 * t + p))
    mouth = moment.talks * (0.12 + 0.75 * syllable)
    if player.move == "Eat":
        mouth = max(
            mouth, 0.75 * (moves.bite_share(t + p) > 0.8), 0.25 * (0.5 + 0.5 * np.sin(17 * t))
        )
    blink = (t + 1.7 * p) % 2.9 < 0.13
    kissing = player.move == "Kiss" and 0.4 < moment.share < 0.85
    smile = {"HandShake": 0.7, "Hug": 0.8, "Fight": -0.9, "Kiss": 0.3}.get(player.move, 0.25 * np.sin(3 * p))  # fmt: skip  # noqa: E501
    return Expression(round(4 * mouth) / 4, 1.0 if blink or kissing else 0.0, round(2 * smile) / 2)


@lru_cache(maxsize=256)
def _face(look: Look, expression: Expression) -> npt.NDArray[np.uint8]:
    return paint_face(look, expression)


@lru_cache(maxsize=16)
def _set(name: str, seed: int) -> Set:
    return build_set(name, seed)


@lru_cache(maxsize=1)
def _vignette() -> npt.NDArray[np.float32]:
    y = np.linspace(-1, 1, HEIGHT, dtype=np.float32)[:, None]
    x = np.linspace(-1, 1, WIDTH, dtype=np.float32)[None, :]
    return (1.0 - 0.14 * (x * x + y * y))[..., None].astype(np.float32)


_MIN_BODY, _MIN_FACE = 500, 60  # traced pixels that must show
_SMALLEST_FACE = 12 * OVER  # traced pixels across
_MAX_TURN = 0.30  # cosine to the camera below which a face counts as turned away


def _seen(canvas: _Canvas, player: Player, number: int, stance: Stance) -> Seen:
    found = tracing.code_boxes(canvas.code, body.PARTS * number, body.PARTS,
                               np.array([0, 0, _COLUMNS, _ROWS]))  # fmt: skip
    shown = found[found[:, 4] > 0]
    whole = None
    if found[:, 4].sum() >= _MIN_BODY:
        low, high = shown[:, :2].min(axis=0), shown[:, 2:4].max(axis=0)
        whole = _film_box(*low, *high)
    return Seen(player.person, whole, _face_box(canvas.camera, stance, int(found[body.FACE, 4])))


def _film_box(x0: float, y0: float, x1: float, y1: float) -> tuple[float, float, float, float]:
    return float(x0) / OVER, float(y0) / OVER, float(x1 - x0) / OVER, float(y1 - y0) / OVER


_FACE_OUTLINE = np.array(  # head heights: left, up, front
    [[0, 0.25, 0.33], [0, -0.47, 0.2], [0.27, 0.02, 0.12], [-0.27, 0.02, 0.12],
     [0.22, -0.2, 0.12], [-0.22, -0.2, 0.12], [0, -0.15, 0.42]]
)  # fmt: skip


def _face_box(
    camera: Camera, stance: Stance, pixels: int
) -> tuple[float, float, float, float] | None:
    """Box from brow to chin, when the face looks our way and enough of it shows."""
    toward = np.array(camera.eye) - stance.head
    facing = float(dot(unit(toward), stance.head_axes[2]))
    size = HEAD * stance.height
    seen = camera.project(stance.head + size * placed(_FACE_OUTLINE, stance.head_axes))
    (x0, y0), (x1, y1) = seen[:, :2].min(axis=0), seen[:, :2].max(axis=0)
    if x1 - x0 < _SMALLEST_FACE:
        return None
    area = max((x1 - x0) * (y1 - y0), 1.0)
    inside = max(0.0, min(x1, _COLUMNS) - max(x0, 0)) * max(0.0, min(y1, _ROWS) - max(y0, 0))
    if facing < _MAX_TURN or pixels < _MIN_FACE or pixels < 0.45 * area or inside < 0.6 * area:
        return None
    return _film_box(max(x0, 0.0), max(y0, 0.0), min(x1, _COLUMNS), min(y1, _ROWS))
