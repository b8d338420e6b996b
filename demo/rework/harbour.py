"""Which ship lies at which berth: `python3 harbour.py PORT`, then GET /berths."""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

BERTHS = json.loads(Path(__file__).with_name("berths.json").read_text())


def answer(path):
    """The status and the body for a path."""
    if path == "/berths":
        return 200, BERTHS
    return 404, {"error": f"there is no {path}"}


class Harbour(BaseHTTPRequestHandler):
    def do_GET(self):
        try:
            status, body = answer(self.path)
        except Exception as error:
            status, body = 500, {"error": repr(error)}
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Harbour).serve_forever()
