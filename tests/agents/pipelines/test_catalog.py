from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import agents.pipelines
from agents.errors import PipelineLoadError, PipelineNotFoundError
from agents.pipelines.catalog import BUILT_IN, UNLISTED, Catalog

AGENT = "from agents import LlmAgent\nroot_agent = LlmAgent(name='Greeter', description='Says hello.')\n"


@pytest.fixture
def package(tmp_path):
    """Writes a package below a folder of agents; `home` is that folder."""
    home = tmp_path / "mine"
    home.mkdir()

    def write(name: str, **files: str) -> Path:
        folder = home / name
        folder.mkdir()
        for file, text in files.items():
            (folder / f"{file}.py").write_text(text)
        return folder

    write.home = home
    return write


def test_every_package_here_is_in_the_catalog():
    here = Path(agents.pipelines.__file__).parent

    assert {folder.parent.name for folder in here.glob("*/agent.py")} == {*BUILT_IN, *UNLISTED}
    assert Catalog().names() == list(BUILT_IN)
    assert Catalog().broken == {}


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_built_in_pipeline_loads(name):
    pipeline = Catalog().get(name)

    assert pipeline.name == name
    assert (pipeline.folder / "agent.py").is_file()


def test_a_pipeline_is_loaded_once():
    catalog = Catalog()

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: catalog.get("status_poller"), range(32)))

    assert len({id(pipeline.root_agent) for pipeline in found}) == 1


def test_names_are_listed_without_importing_agents():
    code = (
        "import sys; from agents.pipelines.catalog import Catalog; print(Catalog().names());"
        "print([m for m in sys.modules if m.startswith('agents.pipelines.') and m.endswith('.agent')])"
    )

    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout

    assert shown.splitlines() == [str(list(BUILT_IN)), "[]"]


@pytest.mark.parametrize(("asked", "meant"), [("iterativ_writing", "iterative_writing"), ("status-poller", "status_poller")])
def test_an_unknown_name_is_answered_with_the_closest(asked, meant):
    with pytest.raises(PipelineNotFoundError, match=f"Did you mean '{meant}'") as raised:
        Catalog().get(asked)

    assert all(name in str(raised.value) for name in BUILT_IN)


@pytest.mark.parametrize("asked", ["", "zzz", "../iterative_writing", "os.path", "catalog", "iterative_writing.agent"])
def test_what_is_no_pipeline_is_not_imported(asked):
    with pytest.raises(PipelineNotFoundError):
        Catalog().get(asked)


def test_a_folder_that_is_not_there_is_said_so(tmp_path):
    with pytest.raises(PipelineNotFoundError, match="no folder"):
        Catalog(tmp_path / "nowhere")


def test_a_package_with_an_agent_file_is_a_pipeline(package):
    folder = package("greeter", agent=AGENT, __init__="")
    catalog = Catalog(package.home)

    assert catalog.names() == [*BUILT_IN, "greeter"]
    assert catalog.get("greeter").root_agent.name == "Greeter"
    assert catalog.get("greeter").folder == folder


def test_a_package_with_its_agent_in_init_is_a_pipeline(package):
    package("greeter", __init__=AGENT)

    assert Catalog(package.home).get("greeter").root_agent.name == "Greeter"


def test_a_folder_without_init_is_a_pipeline_too(package):
    package("greeter", agent="from .words import NAME\n" + AGENT.replace("'Greeter'", "NAME"), words="NAME = 'Host'\n")

    assert Catalog(package.home).get("greeter").root_agent.name == "Host"


def test_relative_imports_work_at_any_depth(package):
    folder = package("greeter", __init__="from . import agent\n", agent="from .parts.names import NAME\n" + AGENT)
    (folder / "parts").mkdir()
    (folder / "parts" / "names.py").write_text("from ..words import NAME\n")
    (folder / "words.py").write_text("NAME = 'Host'\n")

    assert Catalog(package.home).names()[-1] == "greeter"


def test_loading_hides_no_other_module(package):
    package("json", agent=AGENT)
    package("broken", agent="1/0")
    path, modules = list(sys.path), set(sys.modules)

    assert Catalog(package.home).get("json").root_agent.name == "Greeter"

    assert [place for place in sys.path if place != str(package.home)] == path
    assert sys.path.index(str(package.home)) >= len([place for place in path if "site-packages" in place])
    assert sys.modules["json"].__name__ == "json"
    added = set(sys.modules) - modules
    assert all(name.startswith("_playground_") for name in added), added
    assert not any("broken" in name for name in added)


def test_a_package_imports_its_own_modules_and_its_neighbours_by_full_name(package):
    package("shared_words_of_mine", __init__="NAME = 'Host'\n")
    package(
        "greeter_of_mine",
        __init__="from . import agent\n",
        agent="from greeter_of_mine.parts import child\nfrom agents import SequentialAgent\n"
        "from shared_words_of_mine import NAME\nroot_agent = SequentialAgent(name=NAME, sub_agents=[child])\n",
        parts="from agents import LlmAgent\nchild = LlmAgent(name='Child')\n",
    )
    catalog = Catalog(package.home)

    assert catalog.broken == {}
    root = catalog.get("greeter_of_mine").root_agent
    assert (root.name, [child.name for child in root.sub_agents]) == ("Host", ["Child"])


def test_two_folders_may_hold_packages_of_one_name(tmp_path):
    for place in ("here", "there"):
        (tmp_path / place / "greeter").mkdir(parents=True)
        (tmp_path / place / "greeter" / "agent.py").write_text(AGENT.replace("Greeter", place))
    here, there = Catalog(tmp_path / "here"), Catalog(tmp_path / "there")

    assert (here.get("greeter").root_agent.name, there.get("greeter").root_agent.name) == ("here", "there")


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("1 / 0\n", "ZeroDivisionError"),
        ("def broken(:\n", "SyntaxError"),
        ("raise SystemExit(3)\n", "SystemExit: 3"),
        ("import nothing_of_that_name\n", "install the distribution that has nothing_of_that_name"),
        ("from agents import LoopAgent\nroot_agent = LoopAgent(name='not a name')\n", "ValidationError"),
        ("agent = 1\n", "has no root_agent"),
        ("root_agent = 'me'\n", "must be an agent"),
        ("root_agent = None\n", "has no root_agent"),
    ],
)
def test_a_broken_package_harms_no_other(package, source, reason):
    package("broken", agent=source)
    package("greeter", agent=AGENT)
    catalog = Catalog(package.home)

    assert catalog.names() == [*BUILT_IN, "greeter"]
    assert list(catalog.broken) == ["broken"]
    assert reason in catalog.broken["broken"].text
    with pytest.raises(PipelineLoadError, match="'broken' cannot be loaded") as raised:
        catalog.get("broken")
    assert reason in str(raised.value)
    assert catalog.get("greeter").root_agent.name == "Greeter"


def test_a_traceback_begins_in_the_package_itself(package):
    package("broken", agent="from .deep import dive\ndive()\n", deep="def dive():\n    raise RuntimeError('too deep')\n")

    trace = Catalog(package.home).broken["broken"].text

    assert trace.splitlines()[-1] == "RuntimeError: too deep"
    assert "deep.py" in trace
    assert "loading.py" not in trace
    assert "importlib" not in trace


def test_what_a_package_lacks_is_one_sentence_with_the_command_that_installs_it(package):
    package(
        "other",
        agent="import json\nimport serpapi.client\nfrom google.cloud import bigquery\nfrom .more import x\n" + AGENT,
        more="import nothing_of_that_name, os.path\ntry:\n    import optional_thing\nexcept ImportError:\n    pass\nx = 1\n",
    )

    assert Catalog(package.home).broken["other"].text == (
        "other needs google.cloud.bigquery, nothing_of_that_name, serpapi, which are not installed: run `uv pip install "
        "google-cloud-bigquery google-search-results`, and install the distribution that has nothing_of_that_name (it may "
        "have another name). It is loaded as soon as that is done."
    )


def test_a_module_of_its_own_that_is_not_there_is_no_distribution(package):
    package("other", agent="from other.nowhere import x\n")

    assert "uv pip install" not in Catalog(package.home).broken["other"].text
    assert Catalog(package.home).broken["other"].text.endswith("No module named 'other.nowhere'")


def test_a_built_in_name_cannot_be_taken(package):
    package("iterative_writing", agent=AGENT)
    catalog = Catalog(package.home)

    assert catalog.names() == list(BUILT_IN)
    assert catalog.get("iterative_writing").root_agent.name == "IterativeWriting"
    assert list(catalog.broken) == ["mine/iterative_writing"]
    assert "Give the folder another name" in catalog.broken["mine/iterative_writing"].text


def test_a_name_must_be_an_identifier(package):
    package("my-agent", agent=AGENT)
    catalog = Catalog(package.home)

    assert catalog.names() == list(BUILT_IN)
    assert "letters, digits and underscores" in catalog.broken["mine/my-agent"].text


def test_what_is_no_package_is_passed_over(package):
    package("shared", __init__="WORDS = 3\n")
    package("empty")
    package("__pycache__", agent=AGENT)
    package(".hidden", agent=AGENT)
    (package.home / "agent.txt").write_text("x")
    catalog = Catalog(package.home)

    assert catalog.names() == list(BUILT_IN)
    assert catalog.broken == {}


@pytest.mark.parametrize("linked", ["folder", "agent.py", "card.py"])
def test_a_link_out_of_the_folder_is_not_followed(package, tmp_path, linked):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "agent.py").write_text("open(__file__ + '.ran', 'w').close()\n" + AGENT)
    if linked == "folder":
        (package.home / "guest").symlink_to(outside, target_is_directory=True)
    else:
        folder = package("guest", **({} if linked == "agent.py" else {"agent": AGENT}))
        (folder / linked).symlink_to(outside / "agent.py")
    catalog = Catalog(package.home)

    assert catalog.names() == list(BUILT_IN)
    assert "is a link to" in catalog.broken["guest"].text
    assert not (outside / "agent.py.ran").exists()


def test_a_link_within_the_folder_is_followed(package):
    (package.home / "twin").symlink_to(package("greeter", agent=AGENT), target_is_directory=True)

    assert Catalog(package.home).names() == [*BUILT_IN, "greeter", "twin"]


def test_a_card_of_its_own_is_used(package):
    card = (
        "from agents.pipeline import Card\n"
        "card = Card(title='Hi', pattern='p', summary='s', lesson='l', samples=(), ends_when='e')\n"
    )
    package("one", agent=AGENT, card=card)
    package("two", __init__=card + AGENT)
    catalog = Catalog(package.home)

    assert [catalog.get(name).card.title for name in ("one", "two")] == ["Hi", "Hi"]


@pytest.mark.parametrize("card", ["card = {'title': 'Hi'}\n", "cards = 1\n"])
def test_a_card_that_is_none_is_said_so(package, card):
    package("one", agent=AGENT, card=card)

    assert "must be an `agents.pipeline.Card`" in Catalog(package.home).broken["one"].text


@pytest.mark.parametrize(
    ("observation", "problem"),
    [
        ("kind='loop_iterations'", "there is no kind of log entry 'loop_iterations'. There are: event, session_created,"),
        ("kind='event', count=0", "count is 0; it must be 1 or more."),
        ("kind='event', sample=2", "sample is 2, and the card has 1. Samples are counted from 1."),
        ("kind='event', sample=0", "sample is 0, and the card has 1. Samples are counted from 1."),
        ("kind='event', break_title='No'", "there is no break 'No'. There are: none."),
        ("kind='event', body={'x': object()}", "body is not JSON: Object of type object is not JSON serializable."),
        ("kind='event', text=1", "observations[0].text of the card in"),
    ],
)
def test_an_observation_that_could_never_be_ticked_off_is_said_so(package, observation, problem):
    card = (
        "from agents.pipelines import Card, Observation\n"
        f"one = Observation(**{{'text': 'It speaks.'}} | dict({observation}))\n"
        "card = Card(title='Hi', pattern='p', summary='s', lesson='l', samples=('a',), ends_when='e', observations=(one,))\n"
    )
    package("one", agent=AGENT, card=card)

    assert problem in Catalog(package.home).broken["one"].text


@pytest.mark.parametrize(
    ("root", "pattern", "ends_when"),
    [
        ("LoopAgent(name='R', sub_agents=[child], max_iterations=4)", "Loop", "An agent escalates, or after 4 passes."),
        ("LoopAgent(name='R', sub_agents=[child])", "Loop", "An agent escalates."),
        ("SequentialAgent(name='R', sub_agents=[child])", "Sequential pipeline", "Its last agent is done."),
        ("ParallelAgent(name='R', sub_agents=[child])", "Parallel fan-out", "All of its agents are done."),
        ("LlmAgent(name='R', sub_agents=[child])", "Coordinator", "Its agent is done."),
        ("LlmAgent(name='R')", "Single agent", "Its agent is done."),
        ("Own(name='R')", "Custom agent", "Its agent is done."),
    ],
)
def test_a_pipeline_without_a_card_gets_one_from_its_tree(package, root, pattern, ends_when):
    package(
        "my_first_try",
        agent="from agents import *\nfrom agents import BaseAgent, LlmAgent, LoopAgent, ParallelAgent, SequentialAgent\n"
        "class Own(BaseAgent): pass\n"
        f"child = LlmAgent(name='Child', description='Helps\\nout.')\nroot_agent = {root}\n",
    )

    card = Catalog(package.home).get("my_first_try").card

    assert (card.title, card.pattern, card.ends_when) == ("My first try", pattern, ends_when)
    assert card.message_key is None
    assert card.samples
    assert "**R**" in card.lesson
    assert ("Child" in card.summary) == ("child" in root)
    assert (r"Helps out\." in card.lesson) == ("child" in root)
