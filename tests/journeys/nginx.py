"""nginx in front of the app."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

NGINX = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
UPGRADE = "proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $connection_upgrade;"
HOST = "proxy_set_header Host $http_host;"
CLIENT = "proxy_set_header X-Forwarded-For 203.0.113.9;"
"""Says that somebody else than the proxy asks."""
FOLDERS = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")

Proxy = Callable[..., str]
needs_nginx = pytest.mark.skipif(NGINX is None and not os.environ.get("CI"), reason="nginx is not installed")


@contextmanager
def proxies(folder: Path) -> Iterator[Proxy]:
    """Gives a function that starts an nginx with one location, and returns the URL of that."""
    started: list[subprocess.Popen[bytes]] = []

    def start(location: str, upstream: str, headers: str) -> str:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        temporary = "".join(f"{name}_temp_path {folder}/{name};" for name in FOLDERS)
        file = folder / "nginx.conf"
        file.write_text(
            f"daemon off; pid {folder}/nginx.pid; error_log stderr; worker_processes 1; events {{}}"
            f"http {{ access_log off; {temporary} map $http_upgrade $connection_upgrade {{ default upgrade; '' close; }}"
            f"server {{ listen 127.0.0.1:{port}; location {location} {{ proxy_pass {upstream}; {headers} }} }} }}"
        )
        assert NGINX is not None, "nginx is not installed: apt install nginx"
        started.append(subprocess.Popen([NGINX, "-e", "stderr", "-p", str(folder), "-c", str(file)]))
        _wait_until_listening(port)
        return f"http://127.0.0.1:{port}{location}"

    yield start
    for process in started:
        process.terminate()
        process.wait(timeout=30)


def _wait_until_listening(port: int) -> None:
    end = time.monotonic() + 30
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except ConnectionRefusedError:
            assert time.monotonic() < end, "nginx does not listen"
        else:
            return
