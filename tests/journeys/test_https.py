"""Behind proxies that end HTTPS, as Operate and `compose.servers.yaml` set them up: cookies, sockets, tokens, the end."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import ssl
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPMessage
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import yaml
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from agents.access import OWNER, TokenScope
from agents.workspace import Workspace
from tests.documents.blocks import BLOCKS
from tests.journeys.app import ROOT, App
from tests.journeys.nginx import FOLDERS, NGINX, _wait_until_listening, needs_nginx

CADDY = shutil.which("caddy")
needs_caddy = pytest.mark.skipif(CADDY is None and not os.environ.get("CI"), reason="Caddy is not installed")
COMPOSE = yaml.safe_load((ROOT / "compose.servers.yaml").read_text(encoding="utf-8"))


@dataclass
class Answer:
    status: int
    headers: HTTPMessage
    text: str

    @property
    def cookies(self) -> list[str]:
        return [one for one in self.all_cookies if one.startswith(("playground_visitor", "playground_owner"))]

    @property
    def all_cookies(self) -> list[str]:
        """Those of the proxy too."""
        return self.headers.get_all("set-cookie") or []


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        return None


@dataclass
class Site:
    """A site and the servers behind it."""

    url: str
    trust: ssl.SSLContext
    servers: list[App]

    def get(self, path: str = "", **headers: str) -> Answer:
        opener = urllib.request.build_opener(_Stay, urllib.request.HTTPSHandler(context=self.trust))
        request = urllib.request.Request(f"{self.url}/{path}", headers={k.replace("_", "-"): v for k, v in headers.items()})
        try:
            with opener.open(request, timeout=20) as answer:
                return Answer(answer.status, answer.headers, answer.read().decode())
        except urllib.error.HTTPError as error:
            return Answer(error.code, error.headers, error.read().decode())


def is_healthy(site: Site) -> bool:
    """Whether a server of the site answers; Caddy refuses to talk until it has read the certificate that it has written."""
    try:
        return site.get("health").status == 200
    except urllib.error.URLError:
        return False


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


def trusting(certificate: Path) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(certificate))


@contextmanager
def running(command: list[str], port: int, environment: Mapping[str, str] = os.environ) -> Iterator[None]:
    """A proxy, once it listens; it keeps no pipe of ours."""
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait_until_listening(port)
        yield
    finally:
        process.kill()
        process.wait(timeout=30)


@pytest.fixture
def token(tmp_path: Path) -> str:
    """The owner's API token of the database that all servers here have."""
    with Workspace(tmp_path / "playground.db") as workspace:
        return workspace.runs.tokens.make(OWNER, "prometheus", {TokenScope.READ})[1]


@pytest.fixture
def servers(tmp_path: Path, token: str) -> Iterator[list[App]]:
    variables = {"PLAYGROUND_ALLOWED_HOSTS": "localhost", "PLAYGROUND_DRAIN": "30"}
    made = [App(tmp_path / "playground.db", variables=variables) for _ in range(2)]
    try:
        yield [one.start() for one in made]
    finally:
        for one in made:
            one.kill()


@pytest.fixture
def behind_caddy(servers: list[App], tmp_path: Path) -> Iterator[Site]:
    """The Caddyfile of `compose.servers.yaml` as it is."""
    port, home = free_port(), tmp_path / "caddy"
    file = tmp_path / "Caddyfile"
    file.write_text(COMPOSE["configs"]["caddyfile"]["content"].replace("$$", "$"), encoding="utf-8")
    variables = {
        "SITE": f"https://localhost:{port}",
        "SERVERS": " ".join(f"127.0.0.1:{one.port}" for one in servers),
        "XDG_DATA_HOME": str(home),
        "XDG_CONFIG_HOME": str(home),
        "HOME": str(home),
    }
    text = f"{{\nadmin off\nhttp_port {free_port()}\n" + file.read_text().split("{\n", 1)[1]
    file.write_text(text, encoding="utf-8")  # ports that others do not have; the rest is what compose has
    assert CADDY is not None
    root = home / "caddy" / "pki" / "authorities" / "local" / "root.crt"
    with running([CADDY, "run", "--config", str(file)], port, os.environ | variables):
        end = time.monotonic() + 30
        while not (home / "caddy" / "certificates" / "local" / "localhost" / "localhost.crt").exists():
            assert time.monotonic() < end, "Caddy has made no certificate"
            time.sleep(0.1)
        site = Site(f"https://localhost:{port}", trusting(root), servers)
        while not is_healthy(site):  # Caddy asks the servers whether they are ready
            assert time.monotonic() < end, "Caddy finds no server"
            time.sleep(0.1)
        yield site


@pytest.fixture
def behind_nginx(servers: list[App], tmp_path: Path) -> Iterator[Site]:
    """The two nginx blocks of the page Operate, with a certificate, a port and a server that are there."""
    port = free_port()
    certificate, key = tmp_path / "playground.pem", tmp_path / "playground.key"
    made = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
    names = ("-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(certificate))
    subprocess.run([*made.split(), *names], check=True, capture_output=True)
    location, server, *_ = [block.code for block in BLOCKS if block.language == "nginx"]  # the others are for two servers
    block = server.replace("/etc/ssl/playground.pem", str(certificate)).replace("/etc/ssl/playground.key", str(key))
    block = block.replace("listen 443 ssl", f"listen 127.0.0.1:{port} ssl").replace("playground.example.org", "localhost")
    block = block.replace("# the location from above", location.replace(":8501", f":{servers[0].port}"))
    temporary = "".join(f"{name}_temp_path {tmp_path}/{name};" for name in FOLDERS)
    file = tmp_path / "nginx.conf"
    file.write_text(
        f"daemon off; pid {tmp_path}/nginx.pid; error_log stderr; worker_processes 1; events {{}}\n"
        f"http {{ access_log off; {temporary}\n{block}\n}}\n"
    )
    assert NGINX is not None
    with running([NGINX, "-e", "stderr", "-p", str(tmp_path), "-c", str(file)], port):
        yield Site(f"https://localhost:{port}/playground", trusting(certificate), servers)


@pytest.fixture(params=[pytest.param("caddy", marks=needs_caddy), pytest.param("nginx", marks=needs_nginx)])
def site(request: pytest.FixtureRequest) -> Site:
    return request.getfixturevalue(f"behind_{request.param}")


def test_cookies_are_sent_by_https_alone_and_no_request_of_the_proxy_is_the_owners(site: Site, token: str):
    page = site.get(Accept="text/html")
    assert page.status == 200
    [cookie] = page.cookies
    assert {"Secure", "HttpOnly", "SameSite=lax"} <= {part.strip() for part in cookie.split(";")}
    direct = Site(site.servers[0].url, site.trust, []).get(Accept="text/html")
    assert "Secure" not in direct.cookies[0]

    link = site.servers[0].printed_with("/owner?token=").strip().rsplit(" ", 1)[-1]
    answer = site.get(f"owner?{urlsplit(link).query}", Cookie=_same_server(page))
    if answer.status == 403:  # the other server's link
        link = site.servers[1].printed_with("/owner?token=").strip().rsplit(" ", 1)[-1]
        answer = site.get(f"owner?{urlsplit(link).query}", Cookie=_same_server(page))
    assert answer.status == 303
    [owners] = answer.cookies
    assert {"Secure", "HttpOnly", "SameSite=strict"} <= {part.strip() for part in owners.split(";")}

    assert site.get("v1/models").status == site.get("metrics").status == 401
    assert site.get("v1/models", Authorization=f"Bearer {token}").status == 200
    assert "playground_ready 1.0" in site.get("metrics", Authorization=f"Bearer {token}").text
    assert site.get("ready").status == 200


def _same_server(answer: Answer) -> str:
    """The cookie by which Caddy finds the server again; "" where there is none."""
    found = [one.partition(";")[0] for one in answer.all_cookies if one.startswith("playground_server")]
    return found[0] if found else "none=none"


def test_sockets_pass_and_those_of_other_sites_do_not(site: Site):
    url, origin = site.url.replace("https:", "wss:"), f"https://{urlsplit(site.url).netloc}"
    cookie = site.get(Accept="text/html").cookies[0].partition(";")[0]
    with connect(f"{url}/api/sessions", ssl=site.trust, origin=origin, additional_headers={"Cookie": cookie}) as socket:
        assert socket.recv(timeout=20)
    with (
        pytest.raises(InvalidStatus, match="403"),
        connect(f"{url}/api/sessions", ssl=site.trust, origin="https://evil.example"),
    ):
        pass


@needs_caddy
def test_a_server_that_ends_takes_no_more_users_and_the_other_one_goes_on(behind_caddy: Site):
    first, second = behind_caddy.servers
    os.kill(first.pid, signal.SIGTERM)
    end = time.monotonic() + 60
    while True:
        answers = [behind_caddy.get("ready").status for _ in range(6)]
        if answers == [200] * 6 and not _answers(first):
            break
        assert time.monotonic() < end, answers
    assert _answers(second)


def _answers(server: App) -> bool:
    with socket.socket() as probe:
        probe.settimeout(5)
        return probe.connect_ex(("127.0.0.1", server.port)) == 0
