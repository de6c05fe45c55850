"""The entry point: Ctrl-C while the commands are still being imported prints one line."""

import os
import signal
import sys
from importlib import import_module
from types import FrameType


def main() -> None:
    """Run the command line."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)
    try:
        import_module("datahound.cli").main(_let_interrupt)
    except KeyboardInterrupt:
        _say_interrupted()
        sys.exit(130)


def _leave(_number: int, _frame: FrameType | None) -> None:
    # No exception: Python itself prints those that are raised where it can't pass them on, such as
    # in a callback of the import system. Nothing is open yet that would have to be closed.
    _say_interrupted()
    os._exit(130)


def _let_interrupt() -> None:
    """Let commands end in their own way, once they are imported."""
    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _say_interrupted() -> None:
    print("datahound: interrupted", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
