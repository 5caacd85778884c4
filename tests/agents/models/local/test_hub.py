"""Fetching model files, from a hub that keeps its word and from one that does not."""

from __future__ import annotations

import hashlib
import socket
from collections import namedtuple
from dataclasses import replace
from pathlib import Path

import pytest

from agents.config import models_folder
from agents.errors import ModelFileError
from agents.models.local import hub_download
from agents.models.local.catalogue import MODEL_CATALOGUE, find_file
from agents.models.local.hub import pull_file
from tests.standins.gguf import gguf
from tests.standins.hub import HubStandIn

NAME = "owner/repo/model-q4.gguf"
DATA = gguf(weights=300_000)
SUM = hashlib.sha256(DATA).hexdigest()


@pytest.fixture(scope="module")
def _hub():
    with HubStandIn() as server:
        yield server


@pytest.fixture
def hub(_hub, tmp_path, monkeypatch):
    _hub.reset()
    monkeypatch.setenv("HF_ENDPOINT", _hub.url)
    monkeypatch.setenv("PLAYGROUND_MODELS", str(tmp_path / "models"))
    return _hub


@pytest.fixture
def part():
    """Where a file is until it is whole."""
    folder = models_folder()
    folder.mkdir(parents=True, exist_ok=True)
    return folder / "model-q4.gguf.part"


def held() -> list[str]:
    return sorted(path.name for path in models_folder().iterdir())


def test_a_file_is_fetched_and_compared(hub):
    hub.has(NAME, DATA)
    seen = []

    pulled = pull_file(find_file(NAME), lambda done, total: seen.append((done, total)))

    assert pulled.path == models_folder() / "model-q4.gguf"
    assert pulled.path.read_bytes() == DATA
    assert (pulled.sha256, pulled.file_bytes, pulled.already, pulled.verified) == (SUM, len(DATA), False, True)
    assert held() == ["model-q4.gguf"]
    assert (seen[0], seen[-1]) == ((0, len(DATA)), (len(DATA), len(DATA)))
    assert hub.received[0].path == "/owner/repo/resolve/main/model-q4.gguf"


def test_no_key_and_no_cookie_is_sent(hub, monkeypatch, tmp_path):
    for name in ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "GOOGLE_API_KEY"):
        monkeypatch.setenv(name, "a-key-of-somebody")
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login somebody password a-key-of-somebody\n")
    monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
    hub.has(NAME, DATA)

    pull_file(find_file(NAME))

    assert len(hub.received) == 2
    for received in hub.received:
        assert not received.headers.keys() & {"authorization", "cookie"}
        assert "a-key-of-somebody" not in f"{received}"


def test_a_file_in_a_folder_of_its_repository_is_put_beside_the_others(hub):
    hub.has("owner/repo/quants/small.gguf", DATA)

    assert pull_file(find_file("owner/repo/quants/small.gguf")).path == models_folder() / "small.gguf"


def test_a_cut_download_goes_on_where_it_was(hub, part):
    hub.has(NAME, DATA, cut_after=100_000)
    with pytest.raises(ModelFileError, match=r"cut after .* it goes on from there"):
        pull_file(find_file(NAME))
    begun = part.stat().st_size
    assert 0 < begun <= 100_000
    assert held() == ["model-q4.gguf.part"]
    hub.change(NAME, cut_after=None)

    pulled = pull_file(find_file(NAME))

    assert pulled.path.read_bytes() == DATA
    assert hub.ranges == [None, f"bytes={begun}-"]
    assert held() == ["model-q4.gguf"]


def test_a_server_without_ranges_sends_all_of_it_again(hub, part):
    hub.has(NAME, DATA, ranges=False)
    part.write_bytes(b"something else")

    assert pull_file(find_file(NAME)).path.read_bytes() == DATA


def test_a_part_that_is_longer_than_the_file_is_begun_again(hub, part):
    hub.has(NAME, DATA)
    part.write_bytes(DATA + b"more")

    assert pull_file(find_file(NAME)).path.read_bytes() == DATA


def test_a_part_that_is_whole_is_not_fetched_again(hub, part):
    part.write_bytes(DATA)
    wanted = replace(find_file(NAME), sha256=SUM, file_bytes=len(DATA))

    assert pull_file(wanted).path.read_bytes() == DATA
    assert hub.received == []


def test_a_part_of_which_nobody_knows_the_sum_is_begun_again(hub, part):
    hub.has(NAME, DATA, sum=None)
    part.write_bytes(b"GGUF of yesterday")

    pulled = pull_file(find_file(NAME))

    assert pulled.path.read_bytes() == DATA
    assert not pulled.verified


@pytest.mark.parametrize("resumed", [False, True])
def test_a_wrong_sum_keeps_nothing_and_says_both(hub, part, resumed):
    wrong = "0" * 64
    hub.has(NAME, DATA, sum=wrong)
    if resumed:
        part.write_bytes(DATA[:1000])

    with pytest.raises(ModelFileError) as raised:
        pull_file(find_file(NAME))

    assert SUM in str(raised.value)
    assert wrong in str(raised.value)
    assert "Nothing was kept" in str(raised.value)
    assert held() == []


def test_another_file_under_the_known_name_is_not_even_fetched(hub):
    hub.has(NAME, DATA)
    wanted = replace(find_file(NAME), sha256="1" * 64)

    with pytest.raises(ModelFileError, match=r"another file .* Nothing was fetched"):
        pull_file(wanted)

    assert held() == []


def test_what_the_store_calls_its_etag_is_no_checksum(hub):
    hub.has(NAME, DATA, sum=None, store_etag=f'"{"2" * 64}"')

    assert not pull_file(find_file(NAME)).verified


def test_a_mirror_that_has_the_bytes_itself_may_name_the_sum_as_its_etag(hub):
    hub.has(NAME, DATA, redirects=False)
    assert pull_file(find_file(NAME)).verified

    hub.has("owner/repo/other.gguf", DATA, redirects=False, sum="3" * 64)
    with pytest.raises(ModelFileError, match="3" * 64):
        pull_file(find_file("owner/repo/other.gguf"))


def test_what_is_no_model_is_not_kept_even_where_nobody_knows_the_sum(hub):
    hub.has(NAME, b"<html>Log in to the network first</html>", sum=None)

    with pytest.raises(ModelFileError, match="no model file: it is no GGUF file"):
        pull_file(find_file(NAME))

    assert held() == []


@pytest.mark.parametrize("size", ["", "0"])
def test_a_hub_that_does_not_say_how_much_comes_is_refused(hub, size):
    hub.has(NAME, DATA if size == "" else b"", size=size)

    with pytest.raises(ModelFileError, match="no size"):
        pull_file(find_file(NAME))


def test_another_size_than_the_known_one_is_refused(hub):
    hub.has(NAME, DATA)

    with pytest.raises(ModelFileError, match=rf"{len(DATA)} bytes, and 5 are expected"):
        pull_file(replace(find_file(NAME), file_bytes=5))


def test_a_file_that_is_there_is_only_compared(hub):
    hub.has(NAME, DATA)
    pull_file(find_file(NAME))
    hub.received.clear()

    again = pull_file(find_file(NAME))

    assert (again.already, again.verified, again.sha256) == (True, True, SUM)
    assert hub.ranges == [None], "the bytes were asked for once more, at most to look at the headers"


def test_a_file_that_is_there_and_known_needs_no_hub(hub):
    target = models_folder() / "model-q4.gguf"
    target.parent.mkdir(parents=True)
    target.write_bytes(DATA)

    assert pull_file(replace(find_file(NAME), sha256=SUM)).already
    assert hub.received == []


def test_another_file_of_that_name_is_never_written_over(hub):
    hub.has(NAME, DATA)
    target = models_folder() / "model-q4.gguf"
    target.parent.mkdir(parents=True)
    target.write_bytes(b"mine")

    with pytest.raises(ModelFileError, match="There is another file"):
        pull_file(find_file(NAME))

    assert target.read_bytes() == b"mine"


@pytest.mark.parametrize(
    ("status", "says"), [(401, "accept its terms"), (403, "accept its terms"), (404, "no such file"), (503, "later")]
)
def test_a_refusal_says_why_and_how_to_do_without(hub, status, says):
    checksum = hub.has(NAME, DATA, status=status)

    with pytest.raises(ModelFileError) as raised:
        pull_file(replace(find_file(NAME), sha256=checksum))

    told = str(raised.value)
    assert f"({status})" in told
    for part in (says, hub.url, "model-q4.gguf", checksum, str(models_folder() / "model-q4.gguf"), "local/model-q4"):
        assert part in told
    assert told.endswith(".")
    assert held() == []


def test_without_a_hub_the_message_is_enough_to_do_it_by_hand(hub, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    monkeypatch.setenv("HF_ENDPOINT", f"http://somebody:their-password@127.0.0.1:{port}")
    wanted = MODEL_CATALOGUE["qwen2.5-coder-1.5b-instruct"]

    with pytest.raises(ModelFileError) as raised:
        pull_file(wanted)

    told = str(raised.value)
    assert "cannot be reached" in told
    assert f"http://127.0.0.1:{port}/{wanted.repository}/resolve/main/{wanted.file}" in told
    assert wanted.sha256 in told
    assert str(models_folder() / "qwen2.5-coder-1.5b-instruct.gguf") in told
    assert "their-password" not in f"{told}{raised.value!r}"


def test_a_redirect_away_from_encryption_is_not_followed_to_its_end(hub, monkeypatch):
    hub.has(NAME, DATA)
    asked = hub_download.httpx2.Response(302, request=hub_download.httpx2.Request("GET", "https://hub.example/x"))
    real = hub_download.Download._look_at

    def look_at(self, response):
        response.history = [asked]
        real(self, response)

    monkeypatch.setattr(hub_download.Download, "_look_at", look_at)

    with pytest.raises(ModelFileError, match="without encryption"):
        pull_file(find_file(NAME))


def test_a_full_disk_is_noticed_before(hub, monkeypatch):
    hub.has(NAME, DATA)
    usage = namedtuple("usage", "total used free")  # noqa: PYI024
    monkeypatch.setattr(hub_download.shutil, "disk_usage", lambda _: usage(10, 0, 10))

    with pytest.raises(ModelFileError, match="Make room"):
        pull_file(find_file(NAME))

    assert held() == []


def test_a_folder_that_cannot_be_written_is_named(hub, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PLAYGROUND_MODELS", str(tmp_path / "file" / "models"))

    with pytest.raises(ModelFileError, match="PLAYGROUND_MODELS"):
        pull_file(find_file(NAME))


@pytest.mark.parametrize(
    "name",
    [
        "",
        "nothing-known",
        "owner/model.gguf",
        "owner/repo/model.bin",
        "../repo/model.gguf",
        "owner/../../model.gguf",
        "owner/repo/../../../etc/model.gguf",
        "owner/repo/..gguf",
        "owner/repo/.gguf",
        "/etc/repo/model.gguf",
        "owner/repo//model.gguf",
        "owner/repo/a b.gguf",
        "owner/repo/model.gguf?x=.gguf",
        "owner/repo/..\\..\\model.gguf",
        "owner/repo/C:model.gguf",
        "owner/repo/m\0.gguf",
        "https://hub.example/owner/repo/model.gguf",
    ],
)
def test_names_that_lead_elsewhere_are_refused(name):
    with pytest.raises(ModelFileError, match="There is no model"):
        find_file(name)


def test_known_names_are_found_with_their_prefix_too():
    for name, file in MODEL_CATALOGUE.items():
        assert find_file(name) == find_file(f"local/{name}") == file
        assert len(file.sha256) == 64
        assert file.target.parent == models_folder()
        assert Path(file.target).name == f"{name}.gguf"
