"""A worker process: takes films one after another, sends progress and outcomes back.

Started as `python -m callsheet.pipeline.worker`, so a user's own script needs no
`if __name__ == "__main__"` for the films to run in processes. Messages are pickled on the
pipes of standard input and output; anything that a library prints goes to standard error.
A worker never outlives its caller, even one that was killed: two of them must not write into
one film's folder.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import time
from threading import Thread
from typing import Any, BinaryIO

from threadpoolctl import threadpool_limits

from callsheet.pipeline.runner import run_film

PROGRESS, ENDED = "progress", "ended"


_LOOK_EVERY = 0.1


def main(threads: int, caller: int) -> None:
    """Serve films until the other side hangs up; `caller` is its process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the caller, who ends us
    Thread(target=_end_with, args=(caller,), daemon=True).start()
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # from here on a stray print cannot break the messages
    with threadpool_limits(threads):
        while (task := _next_task(sys.stdin.buffer)) is not None:
            work, names, settings = task
            outcomes = run_film(
                work, names, settings, lambda *step: _send(answers, (PROGRESS, step))
            )
            _send(answers, (ENDED, outcomes))


def _end_with(caller: int) -> None:
    while os.getppid() == caller:
        time.sleep(_LOOK_EVERY)
    os._exit(1)


def _next_task(stream: BinaryIO) -> Any:
    try:
        return pickle.load(stream)
    except EOFError:
        return None


def _send(stream: BinaryIO, message: Any) -> None:
    try:
        pickle.dump(message, stream)
        stream.flush()
    except BrokenPipeError:
        os._exit(1)  # nobody listens any more


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
