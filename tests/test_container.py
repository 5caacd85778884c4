"""The container: what its image says about users, data and ports, and that its two commands work together."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx2

ROOT = Path(__file__).parents[1]
IMAGE = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
LONGEST = 30


def instruction(name: str) -> list[str]:
    return [line.split(maxsplit=1)[1].strip() for line in IMAGE.splitlines() if line.startswith(name + " ")]


def command_of(name: str) -> list[str]:
    [found] = instruction(name)
    return json.loads(found[found.index("[") :])


def test_it_runs_as_a_user_and_keeps_its_data_in_a_volume():
    assert instruction("USER") == ["playground"]
    assert instruction("VOLUME") == ["/data"]
    assert all(path.startswith("/data/") for path in re.findall(r"PLAYGROUND_\w+=(\S+)", IMAGE))


def test_all_that_is_copied_is_there_and_sent_to_the_builder():
    copied = [name for line in instruction("COPY") for name in line.split()[:-1]]
    sent = [line[1:] for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines() if line.startswith("!")]
    assert [name for name in copied if not (ROOT / name).exists()] == []
    assert set(copied) == set(sent)


def test_it_listens_on_the_port_it_is_given_and_its_health_can_be_asked(tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    scripts = Path(sys.executable).parent
    environment = os.environ | {
        "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}",
        "PORT": str(port),
        "PLAYGROUND_DB": str(tmp_path / "playground.db"),
        "PLAYGROUND_ALLOWED_HOSTS": "playground.example.org other.example.org",
    }
    server = subprocess.Popen(
        command_of("CMD"), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment, cwd=tmp_path
    )
    assert server.stdout is not None
    try:
        printed = next(line for line in server.stdout if "http://" in line)
        health = subprocess.run(command_of("HEALTHCHECK"), env=environment, timeout=LONGEST, check=False)
        answers = {
            name: httpx2.get(f"http://127.0.0.1:{port}/_stcore/health", headers={"Host": name}, timeout=LONGEST).status_code
            for name in ("playground.example.org", "other.example.org", "evil.example.org")
        }
        server.send_signal(signal.SIGTERM)
        rest = server.stdout.read()  # not `communicate`, which passes by what came in one piece with the line above
        server.wait(LONGEST)
    finally:
        server.kill()
        server.stdout.close()

    assert f":{port}" in printed
    assert health.returncode == 0
    assert answers == {"playground.example.org": 200, "other.example.org": 200, "evil.example.org": 421}
    assert "token=" in printed + rest, "who opens it to a network is told the owner's token"
