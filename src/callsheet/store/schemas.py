"""Every table that callsheet stores, column by column. `docs/file-formats.md` is made from this.

Times are seconds on the film's clock, boxes are pixels of the displayed picture. Identifiers
count from 0 within a film. The registry `SCHEMAS` holds them by name.
"""

from __future__ import annotations

import pyarrow as pa

from callsheet.store.schema import Column, Schema

_ID = pa.int32()
_SECONDS = pa.float64()
_SCORE = pa.float32()
_TEXT = pa.string()

STREAM = Schema(
    "stream",
    1,
    "the film's video stream, one row",
    (
        Column("width", _ID, "pixels of the displayed picture"),
        Column("height", _ID, "pixels of the displayed picture"),
        Column("rate_numerator", _ID, "average frames a second, as an exact fraction"),
        Column("rate_denominator", _ID, "average frames a second, as an exact fraction"),
        Column("frames", _ID, "frames that could be decoded"),
        Column("duration", _SECONDS, "end of the last frame, seconds"),
    ),
)

SHOTS = Schema(
    "shots",
    1,
    "runs of frames between cuts",
    (
        Column("shot", _ID, "id, in order of time"),
        Column("start", _SECONDS, "first instant, seconds"),
        Column("end", _SECONDS, "first instant after, seconds"),
    ),
)

TRACKS = Schema(
    "tracks",
    1,
    "one person's linked boxes within a shot",
    (
        Column("track", _ID, "id; faces and bodies share one numbering"),
        Column("kind", _TEXT, "face or body"),
        Column("shot", _ID, "the shot it lies in"),
        Column("start", _SECONDS, "first instant, seconds"),
        Column("end", _SECONDS, "first instant after, seconds"),
        Column("best_time", _SECONDS, "instant of the best box, seconds"),
        Column("quality", _SCORE, "0 to 1: size, sharpness, pose, detector confidence"),
        Column("linked", _ID, "track of the other kind that shows the same person", True),
        Column("row", _ID, "row in faces.npy or bodies.npy (by kind); null: not described", True),
    ),
)

BOXES = Schema(
    "boxes",
    1,
    "one row a track and frame",
    (
        Column("track", _ID, "the track"),
        Column("time", _SECONDS, "the frame's time, seconds"),
        Column("frame", _ID, "the frame's number in decoding order, from 0"),
        Column("x", _SCORE, "left edge, pixels"),
        Column("y", _SCORE, "top edge, pixels"),
        Column("w", _SCORE, "width, pixels"),
        Column("h", _SCORE, "height, pixels"),
        Column("confidence", _SCORE, "of the detector; interpolated boxes carry their ends' mean"),
    ),
)

MOUTHS = Schema(
    "mouths",
    1,
    "how much the mouth of a face track moves, frame by frame",
    (
        Column("track", _ID, "the face track"),
        Column("time", _SECONDS, "the frame's time, seconds"),
        Column("motion", _SCORE, "since the last frame, in units of the face's contrast; 0: still"),
    ),
)

LANDMARKS = Schema(
    "landmarks",
    1,
    "one row a detected face: its five points (right and left are the person's own)",
    (
        Column("track", _ID, "the face track"),
        Column("time", _SECONDS, "the frame's time, seconds"),
        Column("frame", _ID, "the frame's number in decoding order, from 0"),
        Column("right_eye_x", _SCORE, "pixels"),
        Column("right_eye_y", _SCORE, "pixels"),
        Column("left_eye_x", _SCORE, "pixels"),
        Column("left_eye_y", _SCORE, "pixels"),
        Column("nose_x", _SCORE, "tip of the nose, pixels"),
        Column("nose_y", _SCORE, "tip of the nose, pixels"),
        Column("right_mouth_x", _SCORE, "right corner of the mouth, pixels"),
        Column("right_mouth_y", _SCORE, "right corner of the mouth, pixels"),
        Column("left_mouth_x", _SCORE, "left corner of the mouth, pixels"),
        Column("left_mouth_y", _SCORE, "left corner of the mouth, pixels"),
        Column("confidence", _SCORE, "of the detector in these points, 0 to 1"),
        Column("sharpness", _SCORE, "0 (blurred) to 1"),
        Column("quality", _SCORE, "0 to 1: size, sharpness, pose, confidence together"),
    ),
)

TOGETHER = Schema(
    "together",
    1,
    "tracks of one kind that are seen at the same time: nobody is twice in one picture",
    (
        Column("first", _ID, "a track"),
        Column("second", _ID, "another of the same kind, with a larger id"),
        Column("seconds", _SECONDS, "how long both are seen"),
    ),
)

SPEAKING = Schema(
    "speaking",
    1,
    "mouth motion of a face track during a cue",
    (
        Column("cue", _ID, "the subtitle cue"),
        Column("track", _ID, "the face track"),
        Column("score", _SCORE, "0 (mouth still) to 1 (speaks now)"),
    ),
)

SCENES = Schema(
    "scenes",
    1,
    "script scenes",
    (
        Column("scene", _ID, "id, in order of the script"),
        Column("heading", _TEXT, "as written"),
        Column("place", _TEXT, "where it plays"),
        Column("time_of_day", _TEXT, "DAY, NIGHT, ... or empty"),
        Column("interior", pa.bool_(), "inside or outside; null: not said", True),
        Column("first_line", _ID, "in the source, from 1"),
        Column("last_line", _ID, "in the source, inclusive"),
    ),
)

ELEMENTS = Schema(
    "elements",
    1,
    "pieces of the screenplay",
    (
        Column("element", _ID, "id, in order of the script"),
        Column("kind", _TEXT, "heading, description, character, dialogue, parenthetical, ..."),
        Column("text", _TEXT, "its words, lines joined"),
        Column("first_line", _ID, "in the source, from 1"),
        Column("last_line", _ID, "in the source, inclusive"),
        Column("scene", _ID, "script scene; -1 before the first heading"),
        Column("speaker", _TEXT, "bare name, for character, dialogue, parenthetical", True),
        Column("extension", _TEXT, "V.O., O.S., CONT'D, ...", True),
    ),
)

CUES = Schema(
    "cues",
    1,
    "subtitles, one speaker's part each",
    (
        Column("cue", _ID, "id, in order of time"),
        Column("start", _SECONDS, "seconds"),
        Column("end", _SECONDS, "seconds"),
        Column("text", _TEXT, "without tags, line ends kept"),
        Column("speaker", _TEXT, "as the subtitle itself says (RICK:), else null", True),
        Column("sound", pa.bool_(), "a noise or music mark, not speech"),
    ),
)

ALIGNMENT = Schema(
    "alignment",
    1,
    "element -> span",
    (
        Column("element", _ID, "the screenplay element"),
        Column("start", _SECONDS, "seconds"),
        Column("end", _SECONDS, "seconds"),
        Column("confidence", _SCORE, "0 to 1"),
    ),
)

SCENE_SPANS = Schema(
    "scene_spans",
    1,
    "script scene -> span",
    (
        Column("scene", _ID, "the script scene"),
        Column("start", _SECONDS, "seconds"),
        Column("end", _SECONDS, "seconds"),
        Column("confidence", _SCORE, "0 to 1: share of its dialogue that was found"),
    ),
)

SPEAKERS = Schema(
    "speakers",
    1,
    "who speaks each cue, by the alignment",
    (
        Column("cue", _ID, "the cue"),
        Column("element", _ID, "dialogue element it came from; null: none", True),
        Column("speaker", _TEXT, "cast name; null: not known", True),
        Column("confidence", _SCORE, "0 to 1"),
    ),
)

CAST = Schema(
    "cast",
    1,
    "characters of a film",
    (
        Column("person", _TEXT, "the name used everywhere else"),
        Column("aliases", pa.list_(_TEXT), "other ways the script names them"),
        Column("actor", _TEXT, "from cast.csv", True),
        Column("background", pa.bool_(), "an extra or a group: counts as background"),
        Column("lines", _ID, "dialogue elements spoken"),
        Column("words", _ID, "words spoken"),
        Column("mentions", _ID, "times named in descriptions"),
    ),
)

EVIDENCE = Schema(
    "evidence",
    1,
    "the script's claims on the film's clock",
    (
        Column("evidence", _ID, "id"),
        Column("kind", _TEXT, "line, mention or statement"),
        Column("start", _SECONDS, "seconds"),
        Column("end", _SECONDS, "seconds"),
        Column("person", _TEXT, "cast name; null: nobody named", True),
        Column("action", _TEXT, "action label; null: none told", True),
        Column("source_line", _ID, "line of the screenplay, from 1"),
        Column("rule", _TEXT, "which rule or classifier made it"),
        Column("confidence", _SCORE, "0 to 1"),
        Column("text", _TEXT, "the words it rests on"),
    ),
)

BAGS = Schema(
    "bags",
    1,
    "tracks in an evidence's span, one of which (at least) carries its label",
    (
        Column("bag", _ID, "id"),
        Column("evidence", _ID, "the evidence it stands for"),
        Column("kind", _TEXT, "line, mention or statement"),
        Column("person", _TEXT, "cast name", True),
        Column("action", _TEXT, "action label", True),
        Column("tracks", pa.list_(_ID), "ids of its tracks (may be empty)"),
        Column("confidence", _SCORE, "0 to 1"),
    ),
)

LABELS = Schema(
    "labels",
    1,
    "what each track was labelled",
    (
        Column("track", _ID, "the track"),
        Column("person", _TEXT, "name or background; null: abstained or not asked", True),
        Column("person_score", _SCORE, "of that name; of the best one where abstained", True),
        Column("person_margin", _SCORE, "score minus the best other", True),
        Column("person_reasons", pa.list_(_ID), "evidence whose bags the name satisfied"),
        Column("action", _TEXT, "action or background; null: abstained or not asked", True),
        Column("action_score", _SCORE, "of that action", True),
        Column("action_margin", _SCORE, "score minus the best other", True),
        Column("action_reasons", pa.list_(_ID), "evidence whose bags the action satisfied"),
    ),
)

SCORES = Schema(
    "scores",
    1,
    "every label's score, one row a track and label (sparse)",
    (
        Column("track", _ID, "the track"),
        Column("kind", _TEXT, "person or action: which vocabulary the label is of"),
        Column("label", _TEXT, "person or action name, or background"),
        Column("score", _SCORE, "higher is surer"),
    ),
)

TRUTH = Schema(
    "truth",
    1,
    "what a track of the theatre or of an annotator truly shows",
    (
        Column("track", _ID, "id"),
        Column("kind", _TEXT, "face or body"),
        Column("start", _SECONDS, "seconds"),
        Column("end", _SECONDS, "seconds"),
        Column("person", _TEXT, "cast name or background"),
        Column("action", _TEXT, "action label or background"),
    ),
)

INDEX = Schema(
    "index",
    1,
    "who does what, over all films: what queries read",
    (
        Column("film", _TEXT, "film id"),
        Column("track", _ID, "a body track, or a face that no body shows"),
        Column("start", _SECONDS, "seconds"),
        Column("end", _SECONDS, "seconds"),
        Column("person", _TEXT, "cast name; null: background or abstained", True),
        Column("person_score", _SCORE, "of that name", True),
        Column("action", _TEXT, "action label; null: background or abstained", True),
        Column("action_score", _SCORE, "of that action", True),
        Column("thumbnail", _TEXT, "path from the library's work folder", True),
    ),
)

PINS = Schema(
    "pins",
    1,
    "a person's corrections",
    (
        Column("track", _ID, "the track"),
        Column("person", _TEXT, "who it is; background: nobody of the cast; null: not said", True),
        Column("action", _TEXT, "what they do; null: not said", True),
    ),
)

SCHEMAS = {
    schema.name: schema
    for schema in (
        STREAM, SHOTS, TRACKS, BOXES, LANDMARKS, TOGETHER, MOUTHS, SPEAKING, SCENES, ELEMENTS, CUES,
        ALIGNMENT, SCENE_SPANS, SPEAKERS, CAST, EVIDENCE, BAGS, LABELS, SCORES, TRUTH, INDEX, PINS,
    )
}  # fmt: skip
