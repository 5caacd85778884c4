"""Runs with google-adk's environment alone: serves the files of the page of `adk web`. Prints their address."""

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path

found = find_spec("google.adk")
FOLDER = Path(found.submodule_search_locations[0]) / "cli" / "browser"


class Page(SimpleHTTPRequestHandler):
    """The files of the page below /dev-ui."""

    def do_GET(self):
        """Sends a file; the page itself for its own paths."""
        self.path = self.path.partition("?")[0].removeprefix("/dev-ui")
        if not (FOLDER / self.path.lstrip("/")).is_file():
            self.path = "/index.html"
        super().do_GET()

    def log_message(self, *_):
        """Says nothing."""


with ThreadingHTTPServer(("127.0.0.1", 0), partial(Page, directory=FOLDER)) as httpd:
    print(f"http://127.0.0.1:{httpd.server_port}", flush=True)
    httpd.serve_forever()
