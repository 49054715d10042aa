"""The sets with walls: living room, dining room, bedroom, hall, office, cafe."""

from __future__ import annotations

from callsheet.theatre.stage.building import STUFFS, WALLS, WOODS, Set
from callsheet.theatre.stage.furniture import (
    chair,
    lamp,
    pictures,
    plant,
    room,
    sofa,
    table,
    window,
)
from callsheet.theatre.stage.paint import PAINTERS
from callsheet.theatre.stage.solids import Material


def living_room(stage: Set) -> None:
    room(stage, floor="planks")
    window(stage, float(stage.rng.choice([-2.6, 2.6])))
    pictures(stage, (-0.9, 0.9))
    rug = stage.paint("carpet", stage.pick(STUFFS))
    stage.panel((-1.6, 0.012, 1.5), (3.2, 0, 0), (0, 0, -2.2), rug)
    chair(stage, 0, 0, texture=stage.paint("leather", stage.pick(STUFFS)))
    sofa(stage, float(stage.rng.choice([-2.4, 2.4])), -1.4)
    lamp(stage, float(stage.rng.choice([-1.2, 1.3])), -1.9)
    plant(stage, float(stage.rng.choice([-3.9, 3.9])), -1.8)


def dining_room(stage: Set) -> None:
    room(stage, floor="tiles", walls="plaster")
    window(stage, float(stage.rng.choice([-1.9, 1.9])))
    stage.on_wall(
        float(stage.rng.choice([-0.2, 0.3])),
        1.5,
        1.1,
        1.2,
        stage.paint("bookshelf", stage.pick(WOODS)),
    )
    seat = stage.paint("leather", stage.pick(WOODS))
    for x in (-0.55, 0.55):
        chair(stage, x, 0, texture=seat)
    cloth = stage.paint("cloth", stage.pick(STUFFS))
    table(stage, 0, 0.62, (2.0, 0.62), top=cloth)
    stage.panel((-1.0, 0.1, 0.935), (2.0, 0, 0), (0, 0.62, 0), cloth)
    china = stage.stuff(Material((236, 234, 228), gloss=0.3))
    glass = stage.stuff(Material((150, 60, 60), gloss=0.4))
    plate = stage.paint("food", (0, 0, 0))
    for x in (-0.55, 0.55):
        stage.panel((x - 0.15, 0.735, 0.70), (0.3, 0, 0), (0, 0, -0.3), plate)
        stage.solids.add(
            (x + 0.28, 0.73, 0.62), (x + 0.28, 0.84, 0.62), (0.03, 0.04), material=glass
        )
    stage.solids.add((0, 0.70, 0.48), (0, 0.74, 0.48), (0.07, 0.10), material=china)
    for n in range(5):
        fruit = stage.stuff(
            Material(((190, 50, 40), (210, 170, 60), (110, 150, 60))[n % 3], gloss=0.2)
        )
        stage.solids.add(
            (0.045 * (n - 2), 0.845, 0.48),
            (0.045 * (n - 2), 0.845, 0.48),
            (0.038, 0.038),
            material=fruit,
        )


def bedroom(stage: Set) -> None:
    room(stage, floor="carpet" if stage.rng.random() < 0.3 else "planks")
    window(stage, 2.3)
    pictures(stage, (-2.4, -1.2, 0.4))
    sheet = stage.paint("blanket", (226, 222, 214))
    cover = stage.paint("blanket", stage.pick(STUFFS))
    wood = stage.paint("planks", stage.pick(WOODS))
    # The bed runs along x: head at the left, feet to the right.
    stage.box((0.25, 0, 0), (2.1, 0.52, 1.15), sheet)
    stage.box((0.75, 0.02, 0.0), (1.12, 0.53, 1.2), cover)
    stage.box((-0.86, 0, 0), (0.08, 1.1, 1.2), wood)
    pillow = stage.stuff(Material((236, 232, 226), folds=0.04))
    stage.solids.add((-0.62, 0.58, -0.26), (-0.62, 0.58, 0.26), (0.12, 0.12), material=pillow, side=(0, 1, 0), flat=(0.6, 1.3))  # fmt: skip  # noqa: E501
    table(stage, -1.35, -0.3, (0.5, 0.45), top=wood, high=0.55)
    lamp(stage, -2.2, -1.0)


def hall(stage: Set) -> None:
    """The back wall has a doorway about x = 0; its leaf is a prop."""
    paper = stage.paint("wallpaper", stage.pick(WALLS))
    floor = stage.paint("tiles", stage.pick(STUFFS))
    frame = stage.paint("planks", stage.pick(WOODS))
    beyond = stage.paint("plaster", (150, 142, 126))
    z = stage.wall = -1.0
    for corner, w in ((-6.0, 5.52), (0.48, 5.52)):
        stage.panel((corner, 0, z), (w, 0, 0), (0, 2.9, 0), paper)
    stage.panel((-0.48, 2.1, z), (0.96, 0, 0), (0, 0.8, 0), paper)
    for x in (-0.53, 0.43):
        stage.panel((x, 0, z + 0.02), (0.1, 0, 0), (0, 2.15, 0), frame)
    stage.panel((-0.53, 2.1, z + 0.02), (1.06, 0, 0), (0, 0.1, 0), frame)
    stage.panel((-6, 0, 6), (12, 0, 0), (0, 0, -7), floor)
    stage.panel((-3, 0, z), (6, 0, 0), (0, 0, -3), floor)
    stage.panel((-3, 0, z - 2.6), (6, 0, 0), (0, 2.9, 0), beyond)
    stage.panel((-6, 2.9, z), (12, 0, 0), (0, 0, 7), stage.paint("plaster", (226, 222, 214)))
    pictures(stage, (-2.2, -1.3, 1.4, 2.5))
    plant(stage, float(stage.rng.choice([-1.1, 1.2])), -0.7)
    stage.textures["door"] = PAINTERS["door"](stage.rng, stage.pick(WOODS))


def office(stage: Set) -> None:
    room(stage, floor="planks", walls="plaster")
    for x in (-2.2, 0.2):
        stage.on_wall(x, 1.15, 1.6, 2.2, stage.paint("bookshelf", stage.pick(WOODS)), off=0.2)
    window(stage, 2.6)
    desk = stage.paint("planks", stage.pick(WOODS))
    stage.box((-1.3, 0, -0.9), (1.5, 0.74, 0.7), desk)
    stage.box((-1.5, 0.74, -0.9), (0.4, 0.05, 0.3), stage.paint("plaster", (232, 230, 224)))
    phone = stage.stuff(Material((34, 34, 38), gloss=0.3))
    stage.solids.add((-0.9, 0.78, -0.8), (-0.75, 0.78, -0.8), (0.05, 0.05), material=phone)
    chair(stage, 0.0, 0, texture=stage.paint("leather", stage.pick(STUFFS)))
    plant(stage, 1.5, -1.8)


def cafe(stage: Set) -> None:
    room(stage, floor="tiles", walls="brick")
    for x in (-1.6, 1.0):
        stage.on_wall(x, 1.7, 2.2, 1.2, stage.paint("bottles", stage.pick(WOODS)), off=0.1)
    counter = stage.paint("planks", stage.pick(WOODS))
    stage.box((0.2, 0, -1.5), (5.0, 1.05, 0.5), counter, top=stage.paint("metal", (96, 84, 78)))
    seat = stage.paint("leather", stage.pick(STUFFS))
    for x in (-0.55, 0.55):
        chair(stage, x, 0, texture=seat)
    table(stage, 0, 0.62, (2.0, 0.6), top=counter)
    stage.panel((-1.0, 0.1, 0.925), (2.0, 0, 0), (0, 0.62, 0), counter)
    plate = stage.paint("food", (0, 0, 0))
    cup = stage.stuff(Material((230, 228, 222), gloss=0.3))
    for x in (-0.55, 0.55):
        stage.panel((x - 0.15, 0.735, 0.70), (0.3, 0, 0), (0, 0, -0.3), plate)
        stage.solids.add((x + 0.3, 0.75, 0.6), (x + 0.3, 0.80, 0.6), (0.035, 0.042), material=cup)
