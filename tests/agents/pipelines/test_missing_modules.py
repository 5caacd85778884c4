"""What is said of modules that a user package needs and that cannot be imported. The advice is followed, and works."""

from __future__ import annotations

import shlex
import sys

import pytest

from agents.errors import PipelineLoadError
from agents.pipelines.catalog import Catalog
from agents.pipelines.missing_modules import explain_missing

AGENT = "from agents import LlmAgent\nroot_agent = LlmAgent(name='Greeter', description='Says hello.')\n"


@pytest.fixture
def write(tmp_path):
    """Writes files of a repository, path → text."""
    (tmp_path / "repo" / ".git").mkdir(parents=True)

    def to(files: dict[str, str]):
        for path, text in files.items():
            file = tmp_path / "repo" / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        return tmp_path / "repo"

    before = set(sys.modules)
    yield to
    for name in set(sys.modules) - before:
        if name.startswith(("core_of_mine", "travel_of_mine", "docker")):
            del sys.modules[name]


def advice(agents_dir, name="greeter"):
    text = Catalog(agents_dir).broken[name].text
    assert "Traceback" not in text
    with pytest.raises(PipelineLoadError) as raised:
        Catalog(agents_dir).get(name)
    assert str(raised.value) == f"The pipeline {name!r} cannot be loaded.\n{text}"
    return text


@pytest.mark.parametrize("kind", ["core_of_mine.py", "core_of_mine/__init__.py", "core_of_mine/words.py"])
@pytest.mark.parametrize("place", ["", "src/", "samples/"])
def test_a_module_in_a_folder_above_is_to_be_put_on_the_path(write, monkeypatch, kind, place):
    repo = write({"samples/agents/greeter/agent.py": f"import core_of_mine\n{AGENT}", f"{place}{kind}": ""})
    found = repo / place / kind.split("/")[0]

    text = advice(repo / "samples" / "agents")

    where = shlex.quote(str(found.parent))
    assert text == (
        f"greeter needs core_of_mine, which is not on Python's path but is {found}: start again with `PYTHONPATH={where}`."
    )
    monkeypatch.syspath_prepend(where)
    assert Catalog(repo / "samples" / "agents").get("greeter").root_agent.name == "Greeter"


def test_a_part_of_a_larger_agent_is_loaded_with_it(write):
    repo = write(
        {
            "travel_of_mine/agent.py": f"from travel_of_mine.parts.hotel.agent import root_agent as part\n{AGENT}",
            "travel_of_mine/tools.py": "x = 1\n",
            "travel_of_mine/parts/hotel/agent.py": f"from travel_of_mine.tools import x\n{AGENT}",
        }
    )

    text = advice(repo / "travel_of_mine" / "parts", "hotel")

    assert text == f"hotel is a part of the agent {repo / 'travel_of_mine'}: give `--agents {repo}` and run travel_of_mine."
    assert Catalog(repo).get("travel_of_mine").root_agent.name == "Greeter"


def test_a_module_beside_the_agent_is_to_be_imported_relatively(write):
    repo = write(
        {
            "agents/greeter/agent.py": f"from tools_of_mine.search import x\nfrom .parts import deep\n{AGENT}",
            "agents/greeter/tools_of_mine/search.py": "x = 1\n",
            "agents/greeter/parts/deep.py": "from words_of_mine import x\n",
            "agents/greeter/words_of_mine.py": "x = 1\n",
        }
    )

    assert advice(repo / "agents") == (
        "tools_of_mine is greeter's own tools_of_mine: write `from .tools_of_mine.search import …` in agent.py. "
        "words_of_mine is greeter's own words_of_mine.py: write `from ..words_of_mine import …` in parts/deep.py."
    )

    write(
        {
            "agents/greeter/agent.py": f"from .tools_of_mine.search import x\nfrom .parts import deep\n{AGENT}",
            "agents/greeter/parts/deep.py": "from ..words_of_mine import x\n",
        }
    )
    assert Catalog(repo / "agents").get("greeter").root_agent.name == "Greeter"


def test_an_import_in_a_function_is_found_by_the_traceback(write):
    repo = write(
        {
            "agents/greeter/agent.py": f"from .parts.deep import f\nf()\n{AGENT}",
            "agents/greeter/parts/deep.py": "def f():\n    import words_of_mine\n",
            "agents/greeter/words_of_mine.py": "",
        }
    )

    assert advice(repo / "agents").endswith("write `from ..words_of_mine import …` in parts/deep.py.")


def test_what_is_above_the_repository_is_not_the_authors(write):
    repo = write({"agents/greeter/agent.py": "import core_of_mine\n", "../core_of_mine.py": ""})

    assert "install the distribution that has core_of_mine" in advice(repo / "agents")


def test_no_more_than_six_folders_above_are_looked_in(write):
    repo = write({"1/2/3/4/5/6/greeter/agent.py": "import core_of_mine\n", "1/core_of_mine.py": "", "core_of_mine.py": ""})

    (repo / ".git").rmdir()

    assert str(repo / "1" / "core_of_mine.py") in advice(repo / "1/2/3/4/5/6")
    (repo / "1" / "core_of_mine.py").unlink()
    assert "install the distribution that has core_of_mine" in advice(repo / "1/2/3/4/5/6")


def test_a_folder_without_code_is_not_taken_for_a_well_known_module(write):
    repo = write({"agents/greeter/agent.py": "import tweepy\n", "tweepy/Dockerfile": ""})

    assert "`uv pip install tweepy`" in advice(repo / "agents")

    write({"tweepy/__init__.py": ""})
    assert f"PYTHONPATH={repo}" in advice(repo / "agents")


@pytest.mark.parametrize("name", ["../core_of_mine", "/etc/passwd", "a\0b", "x" * 5000, "\udcff", "core of mine", "$(id)"])
def test_a_name_that_is_none_leads_nowhere(write, name):
    repo = write({"agents/greeter/agent.py": "", "agents/core_of_mine.py": ""})

    said = explain_missing(ModuleNotFoundError("No module", name=name), repo / "agents" / "greeter")

    assert said is not None
    assert "install the distribution that has" in said[0]
    assert "uv pip install" not in said[0]
    assert "PYTHONPATH" not in said[0]


@pytest.mark.parametrize("line", ["from google.cloud import storage", "import google.cloud.storage as s"])
def test_a_missing_part_of_a_package_that_several_distributions_share_is_named(write, tmp_path, monkeypatch, line):
    (tmp_path / "site" / "google" / "cloud").mkdir(parents=True)
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    repo = write({"agents/greeter/agent.py": f"{line}\n"})

    assert advice(repo / "agents") == (
        "greeter needs google.cloud.storage, which is not installed: run `uv pip install google-cloud-storage`. "
        "It is loaded as soon as that is done."
    )


def test_a_part_of_google_cloud_that_is_not_well_known_has_no_command(write):
    repo = write({"agents/greeter/agent.py": "from google.cloud import no_such_part\n"})

    text = advice(repo / "agents")

    assert "install the distribution that has google.cloud.no_such_part" in text
    assert "uv pip install" not in text


def test_a_name_that_a_module_lacks_is_no_missing_module(write):
    repo = write({"agents/greeter/agent.py": "from json import nothing\n"})

    assert Catalog(repo / "agents").broken["greeter"].text.startswith("Traceback")
