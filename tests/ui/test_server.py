"""Serving: the port, the address, what the served app answers, its end."""

from __future__ import annotations

import base64
import signal
import socket
import subprocess
import sys
import tomllib
from http.client import HTTPConnection

import pytest

from agents.errors import PersonError, PortTakenError
from ui.server import listen
from ui.shell import appearance

SERVE = """
import sys
from pathlib import Path
from ui.server import serve
serve(host="127.0.0.1", port=0, database=Path(sys.argv[1]), agents_dir=None, open_browser=False)
"""


@pytest.fixture
def taken():
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield other.getsockname()[1]


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """A served app, started in a folder that knows nothing of the project; gives its process and port."""
    folder = tmp_path_factory.mktemp("elsewhere")
    command = [sys.executable, "-c", SERVE, str(folder / "playground.db")]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        said: list[str] = []
        for line in process.stdout:  # it prints its address once it answers
            said.append(line)
            if "Ctrl-C" in line:
                break
        assert any("http://127.0.0.1:" in line for line in said), said
        port = next(int(line.rsplit(":", 1)[1]) for line in said if "http://127.0.0.1:" in line)
        yield process, port
        process.kill()


def get(port: int, path: str, **headers: str):
    connection = HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        connection.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()
    finally:
        connection.close()


def test_a_taken_port_is_said_with_one_that_is_free(taken):
    with pytest.raises(PortTakenError) as caught:
        listen("127.0.0.1", taken)
    free = int(str(caught.value).split("--port ")[1].split(",")[0])
    assert free != taken
    listen("127.0.0.1", free).close()


@pytest.mark.parametrize(("host", "port"), [("no.such.host.invalid", 0), ("192.0.2.1", 0), ("127.0.0.1", 70000)])
def test_an_address_that_cannot_be_listened_on_is_said(host, port):
    with pytest.raises(PersonError) as caught:
        listen(host, port)
    assert "--host" in str(caught.value) or "--port" in str(caught.value)
    assert not isinstance(caught.value, PortTakenError)


def test_any_free_port_may_be_asked_for():
    with listen("127.0.0.1", 0) as listener:
        assert listener.getsockname()[1] > 0


def test_every_setting_is_one_that_streamlit_knows():
    from streamlit import config

    settings = appearance.settings()
    assert settings["server.address"] == "127.0.0.1"
    assert settings["browser.gatherUsageStats"] is False
    assert set(settings) <= set(config.get_config_options())


def test_both_themes_set_the_same_colours_and_nothing_from_the_network():
    tables = tomllib.loads(appearance.settings_file().read_text())
    light, dark = tables["theme"]["light"], tables["theme"]["dark"]
    assert light.keys() == dark.keys()
    assert light["sidebar"].keys() == dark["sidebar"].keys()
    assert not [value for value in appearance.settings().values() if "http" in str(value)]


def test_the_icons_are_in_the_page_itself():
    assert appearance.icon().startswith("data:image/png;base64,")
    wordmark = base64.b64decode(appearance.wordmark().partition(",")[2]).decode()
    assert "http" not in wordmark.replace("http://www.w3.org/2000/svg", "")


def test_it_answers_and_keeps_pages_on_this_machine(served):
    _, port = served
    assert get(port, "/_stcore/health")[0] == 200
    status, headers, body = get(port, "/")
    assert status == 200
    assert b"<html" in body
    assert "default-src 'self'" in headers["content-security-policy"]


@pytest.mark.parametrize(
    "path", ["/", "/_stcore/health", "/_stcore/host-config", "/_stcore/stream", "/api/log", "/no/such/page"]
)
def test_other_hosts_and_origins_are_refused_on_every_route(served, path):
    _, port = served
    upgrade = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec_WebSocket_Version": "13",
        "Sec_WebSocket_Key": "AAAAAAAAAAAAAAAAAAAAAA==",
    }
    assert get(port, path, Host="example.com")[0] == 421
    assert get(port, path, Origin="http://example.com")[0] == 403
    assert get(port, path, Host="example.com", **upgrade)[0] == 403
    assert get(port, path, Origin="http://example.com", **upgrade)[0] == 403


def test_the_theme_arrives_wherever_it_was_started(served):
    from streamlit.proto.BackMsg_pb2 import BackMsg
    from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
    from websockets.sync.client import connect

    _, port = served
    with connect(
        f"ws://127.0.0.1:{port}/_stcore/stream", origin=f"http://127.0.0.1:{port}", subprotocols=["streamlit"]
    ) as socket:
        socket.send(BackMsg(rerun_script={}).SerializeToString())
        message = ForwardMsg()
        while message.WhichOneof("type") != "new_session":
            message = ForwardMsg.FromString(socket.recv(timeout=30))
    theme = message.new_session.custom_theme
    settings = appearance.settings()
    assert theme.light.primary_color == settings["theme.light.primaryColor"]
    assert theme.dark.primary_color == settings["theme.dark.primaryColor"]
    assert message.new_session.config.gather_usage_stats is False


def test_an_interrupt_ends_it_cleanly(served):
    process, _ = served
    process.send_signal(signal.SIGINT)
    rest = process.stdout.read()
    assert process.wait(timeout=30) in {0, 130}  # 130: an orderly end takes a busy machine more than 4 s
    assert "Traceback" not in rest
    assert "ASGI" not in rest
