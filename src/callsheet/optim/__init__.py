"""The engine: discriminative clustering under linear quotas, with a certificate.

    from callsheet.optim import AtLeast, Block, Problem, solve

`Problem` is the statement, a method (`Envelope`, ...) says how, `Solution` is the answer.
"""

from callsheet.optim.blocks import Block, CustomBlock, OracleBlock
from callsheet.optim.methods.block_frank_wolfe import BlockFrankWolfe
from callsheet.optim.methods.envelope import Envelope
from callsheet.optim.methods.frank_wolfe import FrankWolfe
from callsheet.optim.observers import Progress
from callsheet.optim.problem import Problem
from callsheet.optim.quotas import AtLeast, AtMost, Equal, Quota
from callsheet.optim.solution import Solution, Status, TracePoint
from callsheet.optim.solve import solve

__all__ = [
    "AtLeast",
    "AtMost",
    "Block",
    "BlockFrankWolfe",
    "CustomBlock",
    "Envelope",
    "Equal",
    "FrankWolfe",
    "OracleBlock",
    "Problem",
    "Progress",
    "Quota",
    "Solution",
    "Status",
    "TracePoint",
    "solve",
]
