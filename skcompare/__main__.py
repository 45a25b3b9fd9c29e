"""``python -m skcompare``."""

import sys

from skcompare.cli import main

if __name__ == "__main__":
    sys.exit(main())
