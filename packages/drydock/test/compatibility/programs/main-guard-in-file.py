# file
"""What it does."""
import sys

if __name__ == "__main__":
    print(__doc__, sys.modules["__main__"].__dict__ is globals(), __package__, __name__)
