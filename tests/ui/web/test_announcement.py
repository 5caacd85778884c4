"""What is printed at the start: the URL, and what visitors can do where there may be some."""

from __future__ import annotations

import re
import subprocess
import sys
from http.client import HTTPConnection
from pathlib import Path

import pytest

import ui.app
from ui.web.announcement import url_of


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:80"),
        ("0.0.0.0", "http://127.0.0.1:80"),
        ("::1", "http://[::1]:80"),
        ("desk", "http://desk:80"),
    ],
)
def test_the_url_can_be_opened_on_this_machine(host, url):
    assert url_of(host, 80) == url


def test_a_server_with_a_certificate_has_another_scheme():
    assert url_of("desk", 443, scheme="https") == "https://desk:443"


def printed_by_streamlit_run(folder: Path, *options: str) -> tuple[str, int]:
    """What `streamlit run ui/app.py` prints until it answers, and its port."""
    command = [sys.executable, "-m", "streamlit", "run", ui.app.__file__, "--server.port", "0", "--server.headless", "true"]
    command += ["--browser.serverAddress", "127.0.0.1", *options]  # else Streamlit asks the internet for its own address
    printed = ""
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        found = None
        for line in process.stdout:
            printed += line
            if found := re.search(r"URL: http://127\.0\.0\.1:(\d+)", line):
                break
        assert found is not None, printed
        connection = HTTPConnection("127.0.0.1", int(found[1]), timeout=60)  # it listens already, and answers once started
        connection.request("GET", "/_stcore/health")
        assert connection.getresponse().status == 200
        connection.close()
        process.terminate()
        return printed + process.stdout.read(), int(found[1])


def test_streamlit_run_on_a_network_address_prints_the_warning_and_the_owners_link(tmp_path):
    printed, port = printed_by_streamlit_run(tmp_path, "--server.address", "0.0.0.0")
    assert "Warning: it listens on 0.0.0.0, so other machines can reach it" in printed
    assert re.search(rf" http://127\.0\.0\.1:{port}/owner\?token=\S{{43}}\n", printed)
    assert printed.index("URL:") < printed.index("Warning:")


def test_streamlit_run_on_this_machine_alone_warns_of_nothing(tmp_path):
    printed, _ = printed_by_streamlit_run(tmp_path)
    assert "Warning" not in printed
    assert "token" not in printed
