import logging
import sys

logging.warning("to stderr by default")
logging.basicConfig(stream=sys.stdout, level=logging.DEBUG, format="%(levelname)s %(name)s %(message)s", force=True)
logging.getLogger("app.part").info("value %d", 3)
logging.getLogger("app").debug("details")
