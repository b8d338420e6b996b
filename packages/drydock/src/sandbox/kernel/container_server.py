"""The server of runs in containers. It forks an attendant for each run, and reads no request itself.

Started as: python3 -s container_server.py CONFIG, and spoken to like `fork_server.py`."""

import sys
import time

started = time.monotonic()
import plain_json as json  # noqa: E402
from attend.run_server import run  # noqa: E402
from container.server import ContainerServer  # noqa: E402

run(ContainerServer(json.loads(sys.argv[1])), started)
