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
import yaml

from ui.access.refusals import OPEN_PATHS
from ui.cli.main import parser

ROOT = Path(__file__).parents[1]
IMAGE = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
SERVERS = yaml.safe_load((ROOT / "compose.servers.yaml").read_text(encoding="utf-8"))
SERVER = SERVERS["services"]["server1"]
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


# -- compose.servers.yaml


def caddyfile() -> str:
    return SERVERS["configs"]["caddyfile"]["content"].replace("$$", "$")


def names(*found: str) -> set[str]:
    """Named volumes, without those that are paths."""
    return {volume.partition(":")[0] for volume in found if not volume.startswith(("/", "."))}


def test_all_that_services_refer_to_is_defined():
    services = SERVERS["services"].values()
    used = names(*(volume for service in services for volume in service.get("volumes", ())))
    assert used == set(SERVERS["volumes"])
    assert {secret for service in services for secret in service.get("secrets", ())} == set(SERVERS["secrets"])
    assert {one["source"] for service in services for one in service.get("configs", ())} == set(SERVERS["configs"])
    assert {name for service in services for name in service.get("depends_on", ())} <= set(SERVERS["services"])


def test_the_servers_are_alike_and_share_their_data():
    assert SERVERS["services"]["server2"] == SERVER
    assert f"data:{SERVER['environment']['PLAYGROUND_DATA']}" in SERVER["volumes"]
    assert SERVER["environment"]["PLAYGROUND_DATA"] in instruction("VOLUME")


def test_the_settings_of_the_servers_are_there():
    known = (ROOT / "agents" / "config.py").read_text(encoding="utf-8")
    used = [name for name in SERVER["environment"] if name.startswith("PLAYGROUND_")]
    assert [name for name in used if f'"{name}"' not in known] == []
    grace, drain = SERVER["stop_grace_period"], SERVER["environment"]["PLAYGROUND_DRAIN"]
    assert int(grace.removesuffix("s")) >= int(drain) + 5, "Docker kills a server that still drains"


def test_the_command_names_the_database_and_takes_only_options_that_there_are(tmp_path):
    (tmp_path / "password").write_text("0123abcd", encoding="utf-8")
    told = tmp_path / "playground"
    told.write_text('#!/bin/sh\nprintf "%s\\n" "$PLAYGROUND_DB" "$@"\n', encoding="utf-8")
    told.chmod(0o755)
    shell, option, script = SERVER["command"]
    script = script.replace("$$", "$").replace("/run/secrets/database_password", str(tmp_path / "password"))
    environment = os.environ | {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run([shell, option, script], env=environment, capture_output=True, text=True, check=True)
    database, *arguments = done.stdout.splitlines()
    user = SERVERS["services"]["database"]["environment"]["POSTGRES_USER"]
    assert database == f"postgresql://{user}:0123abcd@database/playground"
    options = parser().parse_args(arguments)
    assert (options.host, options.port, options.no_browser) == ("0.0.0.0", 8501, True)
    assert {f":{options.port}"} == set(re.findall(r":\d{4}", caddyfile()))
    assert f":{options.port}/" in SERVER["healthcheck"]["test"][-1]


def test_the_proxy_asks_paths_that_strangers_may_ask_and_names_that_the_servers_answer_to():
    [health] = re.findall(r"health_uri (\S+)", caddyfile())
    assert health in OPEN_PATHS
    assert f"{health}'" in SERVER["healthcheck"]["test"][-1]
    upstreams = set(re.findall(r"(\w+):8501", caddyfile()))
    assert upstreams == set(SERVERS["services"]["proxy"]["depends_on"])
    assert upstreams <= set(SERVER["environment"]["PLAYGROUND_ALLOWED_HOSTS"].split())
