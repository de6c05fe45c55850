"""The entry point: Ctrl-C while the commands are still being imported prints no traceback."""

import sys
from importlib import import_module


def main() -> None:
    """Run the command line."""
    try:
        import_module("datahound.cli").main()
    except KeyboardInterrupt:
        print("datahound: interrupted", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    main()
