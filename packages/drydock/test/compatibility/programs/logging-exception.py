# file
import logging
import sys

logging.basicConfig(stream=sys.stdout, format="%(message)s")
try:
    1 / 0
except ZeroDivisionError:
    logging.exception("failed: %s", "division")
