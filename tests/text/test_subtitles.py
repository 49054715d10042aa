"""Subtitles: formats, speakers, sounds, disorder, and files that are none."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from callsheet.errors import InputError
from callsheet.store import SCHEMAS, read_rows
from callsheet.text.readings import Subtitles
from callsheet.text.settings import SubtitleSettings
from callsheet.text.subtitles import make_cues, read_subtitles

SRT = "1\n00:00:01,000 --> 00:00:03,000\n{0}\n\n2\n00:00:04,000 --> 00:00:06,000\n{1}\n"
VTT = ("WEBVTT\n\nNOTE made by hand\n\nfirst\n00:01.000 --> 00:03.000 align:start\n{0}\n\n"
       "NOTE between\n\n00:00:04.000 --> 00:00:06.000\n{1}\n")  # fmt: skip
ASS = (
    "[Script Info]\nScriptType: v4.00+\n\n[V4+ Styles]\nFormat: Name, Fontname, Fontsize\n"
    "Style: Default,Arial,20\n\n[Events]\n"
    "Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
    "Comment: 0,0:00:00.00,0:00:09.00,Default,,0,0,0,,not shown\n"
    "Dialogue: 0,0:00:01.00,0:00:03.00,Default,,0,0,0,,{0}\n"
    "Dialogue: 0,0:00:04.00,0:00:06.00,Default,,0,0,0,,{1}\n"
)
DVD = "{{1}}{{1}}25\n{{25}}{{75}}{0}\n{{100}}{{150}}{1}\n"


def read(folder: Path, text: str | bytes, name: str = "film.srt") -> Subtitles:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_subtitles(path)


def one(folder: Path, text: str) -> list[tuple[str, str | None, bool]]:
    """Text, speaker and sound of the cues of one subtitle."""
    found = read(folder, SRT.format(text, "The end of it."))
    return [(c.text, c.speaker, c.sound) for c in found.cues if c.span.start < 4]


@pytest.mark.parametrize(
    ("name", "form", "line_end"),
    [("a.srt", SRT, "\n"), ("a.vtt", VTT, "\n"), ("a.ass", ASS, "\\N"), ("a.sub", DVD, "|")],
)
def test_formats(name: str, form: str, line_end: str, tmp_path: Path) -> None:
    """Line ends stay in the text: two speakers may share a subtitle without a dash."""
    found = read(tmp_path, form.format(f"Hello{line_end}there.", "Bye."), name)
    assert [(c.cue, c.span.start, c.span.end, c.text) for c in found.cues] == [
        (0, 1.0, 3.0, "Hello\nthere."), (1, 4.0, 6.0, "Bye."),
    ]  # fmt: skip
    assert not found.warnings


def test_the_content_tells_the_format_not_the_name(tmp_path: Path) -> None:
    assert len(read(tmp_path, SRT.format("Hello.", "Bye."), "a.sub").cues) == 2
    assert len(read(tmp_path, VTT.format("Hello.", "Bye."), "a.srt").cues) == 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- Hi.\n- Hello.", [("Hi.", None), ("Hello.", None)]),
        ("-Hi.\n-Hello,\nRick.", [("Hi.", None), ("Hello,\nRick.", None)]),
        ("- Hi. - Hello.", [("Hi.", None), ("Hello.", None)]),
        ("<i>- Hi.</i>\n<i>- Hello.</i>", [("Hi.", None), ("Hello.", None)]),
        ("\u2013 Hi.\n\u2013 Hello.", [("Hi.", None), ("Hello.", None)]),
        ("I was - no, I am - here.", [("I was - no, I am - here.", None)]),
        (">> Hi.\n>> Hello.", [("Hi.", None), ("Hello.", None)]),
        (">> Hi. >> RICK: Hello.", [("Hi.", None), ("Hello.", "RICK")]),
        (">>> Good evening,\nall.", [("Good evening,\nall.", None)]),
        ("I told you subs by noon.", [("I told you subs by noon.", None)]),
        ("-- and then he ran.", [("-- and then he ran.", None)]),
        ("RICK: Hi.", [("Hi.", "RICK")]),
        ("MRS. O'HARA: Hi.\nRICK: Hello.", [("Hi.", "MRS. O'HARA"), ("Hello.", "RICK")]),
        ("- RICK: Hi.\n- Hello.", [("Hi.", "RICK"), ("Hello.", None)]),
        ("[RICK] Hi there.", [("Hi there.", "RICK")]),
        ("It is 10:30 now.", [("It is 10:30 now.", None)]),
        ("Remember: run.", [("Remember: run.", None)]),
        ("{\\an8}Up <b>here</b>.", [("Up here.", None)]),
        ("Tom &amp; I", [("Tom & I", None)]),
        ("(sighs) Hi.", [("Hi.", None)]),
    ],
)
def test_speakers(text: str, expected: list[tuple[str, str | None]], tmp_path: Path) -> None:
    assert one(tmp_path, text) == [(words, speaker, False) for words, speaker in expected]


@pytest.mark.parametrize(
    "text",
    ["[door slams]", "(MUSIC PLAYING)", "\u266a La la la \u266a", "# La la la #", "\u266b",
     "Subtitles by Somebody", "English subs by A. Body", "Synced and corrected by Me",
     "www.subtitles.example"],
)  # fmt: skip
def test_sounds(text: str, tmp_path: Path) -> None:
    assert [sound for _, _, sound in one(tmp_path, text)] == [True]


def test_two_speakers_share_the_time(tmp_path: Path) -> None:
    first, second, _ = read(tmp_path, SRT.format("- Aaaa.\n- Aaaaaaaaaaaaaa.", "x")).cues
    assert first.span.start == 1.0
    assert first.span.end == second.span.start == pytest.approx(1.5)
    assert second.span.end == 3.0


def test_web_voices_and_actors(tmp_path: Path) -> None:
    found = read(tmp_path, VTT.format("<v Rick>Hi.</v>\n<v.loud Ilsa>Hello.</v>", "Bye."), "a.vtt")
    assert [(c.text, c.speaker) for c in found.cues] == [("Hi.", "Rick"), ("Hello.", "Ilsa"),
                                                         ("Bye.", None)]  # fmt: skip
    acted = ASS.replace("Default,,0,0,0,,{1}", "Default,Rick,0,0,0,,{1}").format("Hi.", "Bye.")
    assert [c.speaker for c in read(tmp_path, acted, "a.ass").cues] == [None, "Rick"]


def test_mixed_case_prefixes_count_when_they_come_back(tmp_path: Path) -> None:
    blocks = [
        f"{i}\n00:00:{i:02},000 --> 00:00:{i:02},900\n{text}\n"
        for i, text in enumerate(["Rick: Hi.", "Rick: No.", "Warning: danger.", "Rick: Go."], 1)
    ]
    cues = read(tmp_path, "\n".join(blocks)).cues
    assert [c.speaker for c in cues] == ["Rick", "Rick", None, "Rick"]


def test_disorder_is_mended_and_said(tmp_path: Path) -> None:
    text = (
        "1\n00:00:09,000 --> 00:00:08,000\nLast.\n\n2\n00:00:01,000 --> 00:00:03,000\nFirst.\n\n"
        "3\n00:00:02,000 --> 00:00:05,000\nOver it.\n\n4\n00:00:02,000 --> 00:00:05,000\nOver it.\n"
    )
    found = read(tmp_path, text)
    assert [c.text for c in found.cues] == ["First.", "Over it.", "Last."]
    assert [c.cue for c in found.cues] == [0, 1, 2]
    assert found.cues[2].span.duration == 0
    assert any("order of time" in w for w in found.warnings)
    assert any("end before they start" in w for w in found.warnings)


def test_what_lies_before_the_film_is_cut_and_said(tmp_path: Path) -> None:
    line = "Dialogue: 0,0:00:0{}.00,0:00:0{}.00,Default,,0,0,0,,{}\n"
    head = ASS[: ASS.index("Dialogue:")]
    early = head + "".join(line.format(*row) for row in [(1, 2, "Gone."), (3, 5, "Half."),
                                                         (6, 7, "Whole.")])  # fmt: skip
    found = read(tmp_path, early.replace("0:00:01.00,0:00:02", "-0:00:03.00,-0:00:02")
                 .replace("0:00:03.00,0:00:05", "-0:00:01.00,0:00:05"), "a.ass")  # fmt: skip
    assert [(c.text, c.span.start) for c in found.cues][-1] == ("Whole.", 6.0)
    assert "Gone." not in [c.text for c in found.cues]
    assert any("before the film's start" in w for w in found.warnings)


def test_frames_without_an_end_last_until_the_next(tmp_path: Path) -> None:
    path = tmp_path / "a.sub"
    path.write_text("{1}{1}25\n{25}{}Hello.\n{75}{100}There.\n{200}{}Bye.\n")
    found = read_subtitles(path)
    assert [(c.text, c.span.start, round(c.span.end, 2)) for c in found.cues] == [
        ("Hello.", 1.0, 3.0), ("There.", 3.0, 4.0), ("Bye.", 8.0, 10.88),
    ]  # fmt: skip
    assert any("2 subtitles have no end" in w for w in found.warnings)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_encodings(encoding: str, tmp_path: Path) -> None:
    raw = SRT.format("Un caf\u00e9, s\u2019il vous pla\u00eet.", "Oui.").encode(encoding)
    assert read(tmp_path, raw).cues[0].text == "Un caf\u00e9, s\u2019il vous pla\u00eet."


def test_other_alphabets_are_guessed(tmp_path: Path) -> None:
    line = "Привет, как твои дела сегодня утром?"
    found = read(tmp_path, "".join(
        f"{i}\n00:00:{i:02},000 --> 00:00:{i:02},900\n{line}\n\n" for i in range(1, 50)
    ).encode("cp1251"))  # fmt: skip
    assert found.cues[0].text == line
    assert any("not UTF-8" in w for w in found.warnings)
    assert any("English" in w for w in found.warnings)


def test_frames_without_a_rate(tmp_path: Path) -> None:
    path = tmp_path / "a.sub"
    path.write_text("{50}{100}Hello.\n")
    found = read_subtitles(path, SubtitleSettings(frame_rate=25.0))
    assert (found.cues[0].span.start, found.cues[0].span.end) == (2.0, 4.0)
    assert any("25.0 was taken" in w for w in found.warnings)


BAD = {
    "empty.srt": b"",
    "binary.srt": bytes(range(256)) * 20,
    "words.srt": b"Only words here, and no time at all.",
    "silent.srt": b"1\n00:00:01,000 --> 00:00:02,000\n\n",
    "head.vtt": b"WEBVTT\n",
    "head.ass": b"[Script Info]\nTitle: none\n",
    "huge.sub": b"{1}{1}25\n{" + b"9" * 5000 + b"}{2}x\n",
}


@pytest.mark.parametrize("name", BAD)
def test_bad_files_are_one_sentence(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, BAD[name], name)
    assert name in caught.value.message


def test_table(tmp_path: Path) -> None:
    (tmp_path / "a.srt").write_text(SRT.format("RICK: Hi.", "[door slams]"))
    result = make_cues(tmp_path / "a.srt", tmp_path)
    rows = read_rows(tmp_path / "cues.parquet", SCHEMAS["cues"])
    assert [(row["text"], row["speaker"], row["sound"]) for row in rows] == [
        ("Hi.", "RICK", False), ("[door slams]", None, True),
    ]  # fmt: skip
    assert result.summary == {"cues": 2, "sounds": 1, "with_speaker": 1}


PIECES = st.sampled_from(
    ["00:00:01,000 --> 00:00:02,000", "WEBVTT", "[Events]", "[Script Info]", "{1}{1}25",
     "{5}{9}a|b",
     "- a", "A:", "(", "[b", "Dialogue: 0,0:00:01.00,x", "Format: Start", "<v", "\u266a", "1", "",
     "0:0:0.0 --> 9", "&#x0;", "{y:i}", "Style: a"]
)  # fmt: skip


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.one_of(st.lists(PIECES).map("\n".join), st.text(max_size=200)), st.text(max_size=80))
def test_any_text_is_read_or_refused(tmp_path: Path, text: str, words: str) -> None:
    for content in (text, SRT.format(words, text)):
        try:
            found = read(tmp_path, content.encode("utf-8", "replace"))
        except InputError:
            continue
        starts = [cue.span.start for cue in found.cues]
        assert starts == sorted(starts)
        assert all(cue.text for cue in found.cues)


@pytest.mark.parametrize("piece", ["\n", "<", "{", "(", "- a. ", "A", "A: ", "[", "*", "# "])
def test_long_monotony_takes_no_longer_than_words(piece: str, tmp_path: Path) -> None:
    read(tmp_path, SRT.format(piece * (300_000 // len(piece)), "Bye."))
