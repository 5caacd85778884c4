"""`playground models`, `playground models pull`, and models of single agents on the command line."""

from __future__ import annotations

import io
import json
import sys
from contextlib import closing

import pytest

from agents.config import models_folder
from agents.errors import PersonError, ProviderError
from agents.models.local.catalogue import MODEL_CATALOGUE
from agents.models.registry import LLMRegistry
from agents.storage.sqlite.blocking_database import OneConnection
from agents.storage.tables.preferences import PreferenceTable
from tests.standins.gguf import gguf
from tests.standins.hub import HubStandIn
from ui.cli import command_line
from ui.cli import main as cli
from ui.cli.models.download import ProgressBar

NAME = "owner/repo/small.gguf"


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("PLAYGROUND_MODELS", str(tmp_path / "models"))
    models_folder().mkdir()
    return models_folder()


@pytest.fixture
def servers(monkeypatch):
    """What the servers say of their models: names, or an error."""
    said: dict[str, list[str] | Exception] = {"llama": [], "ollama": []}

    def resolve(model):
        class Provider:
            @classmethod
            async def list_models(cls):
                found = said[model.partition("/")[0]]
                if isinstance(found, Exception):
                    raise found
                return found

        return Provider

    monkeypatch.setattr(LLMRegistry, "resolve", staticmethod(resolve))
    return said


@pytest.fixture
def playground(folder, servers, capsys):
    """Runs the command; gives exit code, standard output and standard error."""

    def playground(*arguments: str) -> tuple[int, str, str]:
        try:
            code = cli.main(("models", *arguments))
        except SystemExit as ended:
            code = int(ended.code or 0)
        return code, *capsys.readouterr()

    return playground


@pytest.fixture
def listed(playground):
    """The models as JSON, by name."""

    def listed() -> dict[str, dict]:
        code, output, errors = playground("--json")
        assert (code, errors) == (0, "")
        return {row["name"]: row for row in map(json.loads, output.splitlines())}

    return listed


def test_what_needs_nothing_is_ready_and_what_lacks_something_says_what(listed, monkeypatch):
    rows = listed()

    assert next(iter(rows)) == "simulated"
    assert (rows["simulated"]["status"], rows["simulated"]["cure"]) == ("ready", "")
    assert rows["gemini-flash-latest"]["status"] == "key missing"
    assert "GEMINI_API_KEY" in rows["gemini-flash-latest"]["cure"]
    for name, file in MODEL_CATALOGUE.items():
        row = rows[f"local/{name}"]
        assert (row["status"], row["bytes"]) == ("file missing", file.file_bytes)
        assert f"`playground models pull {name}`" in row["cure"]
    assert all(set(row) == {"name", "about", "status", "bytes", "where", "cure"} for row in rows.values())
    monkeypatch.setenv("GEMINI_API_KEY", "a-key-of-somebody")
    assert listed()["gemini-flash-latest"]["status"] == "ready"
    assert "a-key-of-somebody" not in json.dumps(listed())


def test_files_of_the_folder_are_listed_with_what_they_say_of_themselves(listed, folder, monkeypatch):
    known = next(iter(MODEL_CATALOGUE))
    values = {"general.architecture": "llama", "general.name": "Small \x1b[31mone", "llama.context_length": 2048}
    (folder / "mine.gguf").write_bytes(gguf(values, [((1000, 1500), 0)]))
    (folder / f"{known}.gguf").write_bytes(gguf())
    (folder / "broken.gguf").write_bytes(b"<html>")

    rows = listed()

    assert rows["local/mine"]["status"] == "ready"
    assert rows["local/mine"]["about"] == "Small [31mone, 2M parameters, reads 2048 tokens."
    assert rows["local/mine"]["where"] == str(folder / "mine.gguf")
    assert rows[f"local/{known}"]["status"] == "ready"
    assert rows["local/broken"]["status"] == "file broken"
    assert "it is no GGUF file" in rows["local/broken"]["cure"]
    monkeypatch.setattr("ui.cli.models.listing.lacks_extra", lambda: True)
    assert listed()["local/mine"]["status"] == "extra missing"
    assert "`uv run --extra local playground`" in listed()["local/mine"]["cure"]


def test_servers_are_asked_what_they_have(listed, servers):
    servers["llama"] = ["llama/qwen"]
    servers["ollama"] = ProviderError("Nobody is there.", code="CONNECTION_FAILED")
    rows = listed()
    assert (rows["llama/qwen"]["status"], rows["llama/qwen"]["where"]) == ("ready", "http://127.0.0.1:8080/v1")
    assert (rows["ollama/NAME"]["status"], rows["ollama/NAME"]["where"]) == ("no server", "http://127.0.0.1:11434")

    servers["llama"] = ProviderError("It wants a key.", code="401")
    row = listed()["llama/NAME"]
    assert row["status"] == "key missing"
    assert "LLAMA_API_KEY" in row["cure"]

    servers["ollama"] = ProviderError("It wants a key.", code="401")
    row = listed()["ollama/NAME"]
    assert (row["status"], "set OLLAMA" in row["cure"]) == ("key missing", False)


def test_the_list_can_be_read(playground, folder):
    (folder / "mine.gguf").write_bytes(gguf(weights=2_000_000))

    code, output, errors = playground()

    assert (code, errors) == (0, "")
    assert "simulated  (ready)\n    Computes its answers" in output
    assert f"local/mine  (ready)\n    Small, 32 parameters.\n    2 MB · {folder / 'mine.gguf'}\n" in output


@pytest.fixture
def hub(monkeypatch):
    with HubStandIn() as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        yield hub


def test_a_file_is_fetched_and_its_use_is_told(playground, hub, folder):
    checksum = hub.has(NAME, gguf(weights=1_000_000))

    code, output, errors = playground("pull", NAME)

    assert code == 0
    assert f"Fetched: {folder / 'small.gguf'} (1 MB)\nSHA-256 {checksum}, compared with the hub's\n" in output
    assert "--model local/small" in output
    assert errors.startswith("small.gguf: 0% of 1 MB\n")
    assert errors.endswith("small.gguf: 100% of 1 MB\n")
    assert "\r" not in errors

    code, output, _ = playground("pull", NAME)
    assert (code, output.splitlines()[0]) == (0, f"It is there already: {folder / 'small.gguf'} (1 MB)")


def test_a_file_without_a_sum_says_that_nothing_was_compared(playground, hub):
    hub.has(NAME, gguf(), sum=None)

    assert "the hub gives none to compare with" in playground("pull", NAME)[1]


@pytest.mark.parametrize(("arguments", "says"), [(["pull", "nope"], "There is no model 'nope'"), (["pull", NAME], "(404)")])
def test_what_cannot_be_fetched_ends_with_2_and_one_line(playground, hub, arguments, says):
    code, output, errors = playground(*arguments)

    assert (code, output) == (2, "")
    assert errors.startswith("playground: ")
    assert says in errors
    assert errors.count("\n") == 1


def test_pull_wants_a_name(playground):
    code, _, errors = playground("pull")

    assert code == 2
    assert "NAME" in errors


def test_a_terminal_sees_one_line_that_is_redrawn():
    stream = Terminal()
    bar = ProgressBar(stream, "a\x1b[31m.gguf")
    for done in (0, 1_000_000, 2_000_000, 10_000_000):
        bar.show(done, 10_000_000)
    bar.end()

    shown = stream.getvalue()
    assert shown.endswith(f"\ra␛[31m.gguf  {'█' * 30} 100%  10 MB of 10 MB\n")
    assert shown.count("\n") == 1
    assert "\x1b" not in shown


def test_models_of_single_agents_are_read():
    parse = cli.parser().parse_args
    given = parse(["run", "p", "m", "--agent-model", "A=gemini-pro-latest", "--agent-model", " B = local/x=y "])
    assert command_line.agent_models(given) == {"A": "gemini-pro-latest", "B": "local/x=y"}
    assert command_line.agent_models(parse(["answer", "s", "c", "--approve"])) is None


@pytest.mark.parametrize("text", ["A", "=m", "A=", " = ", ""])
def test_what_names_no_agent_or_no_model_is_refused(text):
    arguments = cli.parser().parse_args(["run", "p", "m", "--agent-model", text])
    with pytest.raises(PersonError, match="--agent-model takes AGENT=MODEL"):
        command_line.agent_models(arguments)


def test_the_command_line_needs_no_provider_to_list(monkeypatch, playground):
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    assert playground("--json")[0] == 0


def test_a_server_that_was_chosen_on_the_settings_page_is_asked(playground, servers, tmp_path):
    servers["ollama"] = ProviderError("Nobody is there.")
    database = tmp_path / "playground.db"
    with closing(PreferenceTable(OneConnection(database))) as store:
        store.change({"base_urls": {"ollama": "http://127.0.0.1:9/chosen"}})

    code, output, _ = playground("--json", "--db", str(database))

    rows = {row["name"]: row for row in map(json.loads, output.splitlines())}
    assert (code, rows["ollama/NAME"]["where"]) == (0, "http://127.0.0.1:9/chosen")


def test_to_list_makes_no_database(playground, tmp_path):
    assert playground("--db", str(tmp_path / "none.db"))[0] == 0
    assert list(tmp_path.glob("none.db*")) == []
