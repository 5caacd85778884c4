"""User packages whose files change while the playground runs."""

from __future__ import annotations

import gc
import importlib
import os
import sys
import threading
import types
import weakref
from pathlib import Path

import pytest

from agents.errors import PipelineLoadError, PipelineNotFoundError
from agents.pipelines.catalog import BUILT_IN, Catalog
from agents.pipelines.loading.package_import import ImportThread

FOREVER = 3600.0


def agent(says: str, before: str = "") -> str:
    return f"{before}\nfrom agents import LlmAgent\nroot_agent = LlmAgent(name='Greeter', instruction={says})\n"


@pytest.fixture
def home(tmp_path):
    """A folder of packages whose modules are forgotten after the test."""
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", None)).startswith(str(tmp_path)):
            del sys.modules[name]


@pytest.fixture
def write(home):
    def write(name: str, text: str) -> Path:
        file = home / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    return write


@pytest.fixture
def gate(monkeypatch):
    """What a package waits for while it is imported; opened at the end, so that no thread is left behind."""
    opened = threading.Event()
    module = types.ModuleType("playground_reload_gate")
    module.wait = opened.wait
    monkeypatch.setitem(sys.modules, module.__name__, module)
    yield opened
    opened.set()
    turns_are_over()


def turns_are_over():
    for thread in threading.enumerate():
        if isinstance(thread, ImportThread) or thread.name == "imports":
            thread.join(30)


def says(catalog: Catalog, name: str = "greeter") -> str:
    return catalog.get(name).root_agent.instruction


def test_a_changed_file_is_loaded_again_and_what_was_taken_before_stays(home, write):
    write("greeter/agent.py", agent("'one'"))
    catalog = Catalog(home)
    before = catalog.get("greeter")
    assert catalog.get("greeter") is before, "nothing changed"

    write("greeter/agent.py", agent("'two'"))

    assert says(catalog) == "two"
    assert before.root_agent.instruction == "one"
    assert "'one'" in before.sources["agent.py"]
    assert "'two'" in catalog.get("greeter").sources["agent.py"]


def test_the_source_is_of_what_was_loaded_whatever_is_in_the_file_now(home, write):
    write("greeter/agent.py", agent("'one'"))
    pipeline = Catalog(home).get("greeter")

    write("greeter/agent.py", agent("'two'"))

    assert "'one'" in pipeline.sources["agent.py"]
    assert sorted(pipeline.sources) == ["agent.py"]


@pytest.mark.parametrize("number", range(3))
def test_two_saves_within_an_instant_of_the_same_size_and_time_are_told_apart(home, write, number):
    file = write("greeter/agent.py", agent("'one'"))
    catalog = Catalog(home)
    assert says(catalog) == "one"
    times = file.stat()

    write("greeter/agent.py", agent("'two'"))
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))

    assert says(catalog) == "two"


def test_a_file_with_an_older_time_is_a_change(home, write):
    file = write("greeter/agent.py", agent("'one'"))
    catalog = Catalog(home)
    assert says(catalog) == "one"

    write("greeter/agent.py", agent("'two'"))
    os.utime(file, (1, 1))

    assert says(catalog) == "two"


def test_a_file_that_is_replaced_by_rename_is_a_change(home, write):
    file = write("greeter/agent.py", agent("'one'"))
    os.utime(file, (1_000_000, 1_000_000))
    catalog = Catalog(home)
    assert says(catalog) == "one"

    other = write("new.txt", agent("'two'"))
    os.utime(other, (1_000_000, 1_000_000))
    other.replace(file)

    assert says(catalog) == "two"


def test_a_file_that_was_only_touched_is_no_change(home, write):
    file = write("greeter/agent.py", agent("'one'"))
    catalog = Catalog(home)
    before = catalog.get("greeter")

    os.utime(file, (1, 1))

    assert catalog.get("greeter") is before


def test_a_half_written_file_is_said_so_until_it_is_whole(home, write):
    whole = agent("'one'")
    write("greeter/agent.py", whole)
    catalog = Catalog(home)
    assert says(catalog) == "one"

    for end in (0, len(whole) // 2):
        write("greeter/agent.py", whole[:end])
        assert "greeter" in catalog.broken
    write("greeter/agent.py", agent("'two'"))

    assert says(catalog) == "two"
    assert catalog.broken == {}


@pytest.mark.parametrize(
    "place", ["greeter/words.py", "greeter/parts/words.py", "shared_of_reload.py", "shared_pack_of_reload/words.py"]
)
@pytest.mark.parametrize("relative", [True, False])
def test_helper_modules_belong_to_the_package(home, write, place, relative):
    module = place.removesuffix(".py").replace("/", ".")
    if relative and module.startswith("greeter"):
        module = module.removeprefix("greeter")
    write(place, "WORDS = 'one'\n")
    write("greeter/agent.py", agent("WORDS", f"from {module} import WORDS"))
    catalog = Catalog(home)
    assert says(catalog) == "one"

    write(place, "WORDS = 'two'\n")

    assert says(catalog) == "two"


def test_a_change_of_a_shared_module_reaches_all_that_import_it_and_nobody_else(home, write):
    write("shared_of_reload/__init__.py", "from . import words\n")
    write("shared_of_reload/words.py", "WORDS = 'one'\n")
    for name in ("greeter", "second"):
        write(f"{name}/agent.py", agent("words.WORDS", "from shared_of_reload import words"))
    write("alone/agent.py", agent("'alone'"))
    catalog = Catalog(home)
    assert (says(catalog), says(catalog, "second")) == ("one", "one")
    alone = catalog.get("alone")

    write("shared_of_reload/words.py", "WORDS = 'two'\n")

    assert (says(catalog), says(catalog, "second")) == ("two", "two")
    assert catalog.get("alone") is alone


def test_a_module_that_a_package_shares_keeps_what_is_in_it_when_only_the_package_changes(home, write):
    write("shared_of_reload.py", "SEEN = []\n")
    write("greeter/agent.py", agent("'one'", "from shared_of_reload import SEEN\nSEEN.append(1)"))
    catalog = Catalog(home)
    assert says(catalog) == "one"

    write("greeter/agent.py", agent("str(len(SEEN))", "from shared_of_reload import SEEN\nSEEN.append(1)"))

    assert says(catalog) == "2"


def test_a_module_that_is_imported_by_a_computed_name_belongs_to_the_package(home, write):
    write("greeter/words.py", "WORDS = 'one'\n")
    write(
        "greeter/agent.py", agent("words.WORDS", "import importlib\nwords = importlib.import_module('.words', __package__)")
    )
    catalog = Catalog(home)
    assert says(catalog) == "one"

    write("greeter/words.py", "WORDS = 'two'\n")

    assert says(catalog) == "two"


def test_data_that_is_read_at_import_belongs_to_the_package(home, write):
    write("greeter/prompt.md", "one")
    write("greeter/agent.py", agent("Path(__file__).with_name('prompt.md').read_text()", "from pathlib import Path"))
    catalog = Catalog(home)
    assert says(catalog) == "one"

    write("greeter/prompt.md", "two")
    assert says(catalog) == "two"

    before = catalog.get("greeter")
    write("greeter/notes.md", "nobody reads it")
    assert catalog.get("greeter") is before


def test_a_file_that_a_package_writes_itself_is_no_change(home, write):
    write("greeter/count.txt", "0")
    count = "from pathlib import Path\nfile = Path(__file__).with_name('count.txt')\nfile.write_text(file.read_text() + '1')"
    write("greeter/agent.py", agent("'one'", count))
    catalog = Catalog(home)

    assert catalog.get("greeter") is catalog.get("greeter")


def test_a_card_that_is_added_or_taken_away_is_a_change(home, write):
    write("greeter/agent.py", agent("'one'"))
    catalog = Catalog(home)
    assert catalog.get("greeter").card.title == "Greeter"

    card = "from agents.pipelines import Card\n"
    card += "card = Card(title='Hello', pattern='p', summary='s', lesson='l', samples=(), ends_when='e')\n"
    file = write("greeter/card.py", card)
    assert catalog.get("greeter").card.title == "Hello"

    file.unlink()
    assert catalog.get("greeter").card.title == "Greeter"


def test_a_new_folder_appears_and_a_deleted_one_goes(home, write):
    catalog = Catalog(home)
    assert catalog.names() == list(BUILT_IN)

    file = write("greeter/agent.py", agent("'one'"))
    assert catalog.names() == [*BUILT_IN, "greeter"]
    assert says(catalog) == "one"

    file.unlink()
    assert catalog.names() == list(BUILT_IN)
    with pytest.raises(PipelineNotFoundError):
        catalog.get("greeter")


def test_a_folder_of_agents_that_goes_and_comes_back(home, write):
    inner = home / "mine"
    write("mine/greeter/agent.py", agent("'one'"))
    catalog = Catalog(inner)
    assert says(catalog) == "one"

    inner.rename(home / "elsewhere")
    assert catalog.names() == list(BUILT_IN)
    assert "any more" in catalog.empty_reason

    (home / "elsewhere").rename(inner)
    assert says(catalog) == "one"


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        ("def f(:\n", "SyntaxError: invalid syntax (agent.py, line 1)"),
        ("import google.adk\ndef f(:\n", "SyntaxError: invalid syntax (agent.py, line 2)"),
        ("\n\n1 / 0\n", "ZeroDivisionError: division by zero (agent.py, line 3)"),
        ("from .nowhere import x\n", "No module named 'greeter.nowhere' (agent.py, line 1)"),
    ],
)
def test_a_file_that_is_broken_and_mended(home, write, broken, reason):
    write("greeter/agent.py", agent("'one'"))
    catalog = Catalog(home)
    assert says(catalog) == "one"

    write("greeter/agent.py", broken)
    assert reason in catalog.broken["greeter"].reason
    assert "agent.py" in catalog.broken["greeter"].text
    with pytest.raises(PipelineLoadError, match="loaded again when the file is saved"):
        catalog.get("greeter")
    assert "greeter" not in catalog.names()

    write("greeter/agent.py", agent("'two'"))
    assert says(catalog) == "two"
    assert catalog.broken == {}


def test_what_is_missing_may_come_later(home, write):
    write("greeter/agent.py", agent("WORDS", "from .words import WORDS"))
    write("second/agent.py", agent("Path(__file__ + '.txt').read_text()", "from pathlib import Path"))
    write("third/agent.py", agent("WORDS", "from shared_of_reload import WORDS"))
    write("shared_of_reload.py", "")
    catalog = Catalog(home)
    assert set(catalog.broken) == {"greeter", "second", "third"}

    write("greeter/words.py", "WORDS = 'one'\n")
    write("second/agent.py.txt", "one")
    write("shared_of_reload.py", "WORDS = 'one'\n")

    assert [says(catalog, name) for name in ("greeter", "second", "third")] == ["one", "one", "one"]


def test_a_package_that_needs_a_distribution_is_loaded_once_it_is_there(home, write, monkeypatch):
    write("mine/greeter/agent.py", agent("installed_later_for_reload.WORDS", "import installed_later_for_reload"))
    places = home / "installed"
    places.mkdir()
    monkeypatch.syspath_prepend(str(places))
    catalog = Catalog(home / "mine")
    assert "the distribution that has installed_later_for_reload" in catalog.broken["greeter"].reason

    (places / "installed_later_for_reload.py").write_text("WORDS = 'one'\n")
    importlib.invalidate_caches()

    assert says(catalog) == "one"


def test_an_import_that_fails_is_not_tried_again_before_something_changed(home, write):
    write("greeter/agent.py", "import playground_reload_count\nplayground_reload_count.append(1)\n1 / 0\n")
    count = sys.modules["playground_reload_count"] = types.ModuleType("playground_reload_count")
    tries = []
    count.append = tries.append
    try:
        catalog = Catalog(home)
        for _ in range(3):
            assert "greeter" in catalog.broken
        assert len(tries) == 1
    finally:
        del sys.modules["playground_reload_count"]


def test_an_import_that_hangs_is_mended_with_its_file(home, write, gate):
    write("greeter/agent.py", agent("'one'", "import playground_reload_gate\nplayground_reload_gate.wait()"))
    catalog = Catalog(home, patience=0.05)
    assert "has not ended" in catalog.broken["greeter"].reason
    assert "imported again when the file is saved" in catalog.broken["greeter"].reason

    write("greeter/agent.py", agent("'two'"))
    catalog._patience = FOREVER  # on a busy machine a good import may take longer than the hanging one was given

    assert says(catalog) == "two"


def test_an_endless_loop_at_import_ends_when_the_file_is_mended(home, write):
    write("greeter/agent.py", "while True: pass\n")
    catalog = Catalog(home, patience=0.05)
    assert "greeter" in catalog.broken
    [thread] = [one for one in threading.enumerate() if isinstance(one, ImportThread) and one.name == "import-greeter"]

    write("greeter/agent.py", agent("'two'"))
    catalog._patience = FOREVER

    assert says(catalog) == "two"
    thread.join(30)
    assert not thread.is_alive()


def test_a_page_waits_no_longer_for_a_reload_than_it_wants(home, write, gate):
    write("greeter/agent.py", agent("'one'"))
    assert says(Catalog(home)) == "one"
    catalog = Catalog(home, patience=FOREVER, wait=0)
    catalog._wait = FOREVER
    assert says(catalog) == "one"
    catalog._wait = 0

    write("greeter/agent.py", agent("'two'", "import playground_reload_gate\nplayground_reload_gate.wait()"))

    with pytest.raises(PipelineLoadError, match="still being imported"):
        catalog.get("greeter")
    assert catalog.names() == list(BUILT_IN)
    gate.set()
    catalog._wait = FOREVER
    assert says(catalog) == "two"


def test_old_revisions_are_let_go(home, write):
    write("greeter/words.py", "class Word: pass\n")
    write("greeter/agent.py", agent("'0'", "from .words import Word\ndef tool(): return Word()"))
    catalog = Catalog(home)
    gone = []
    for number in range(1, 6):
        root = catalog.get("greeter").root_agent
        module = sys.modules["greeter.agent"]
        gone += [weakref.ref(module), weakref.ref(module.Word), weakref.ref(root)]
        write("greeter/words.py", f"class Word: number = {number}\n")
        write("greeter/agent.py", agent(f"'{number}'", "from .words import Word\ndef tool(): return Word()"))
        assert says(catalog) == str(number)
    del module, root
    turns_are_over()
    gc.collect()

    assert [one for one in gone if one() is not None] == []
    assert len([name for name in sys.modules if name.partition(".")[0] == "greeter"]) == 3


def test_the_code_of_a_run_keeps_its_own_functions(home, write):
    write("greeter/words.py", "def word(): return 'one'\n")
    write("greeter/agent.py", agent("'one'", "from .words import word\ndef tool(): return word()"))
    catalog = Catalog(home)
    before = catalog.get("greeter")
    tool = sys.modules["greeter.agent"].tool

    write("greeter/words.py", "def word(): return 'two'\n")
    assert catalog.get("greeter") is not before

    assert (tool(), sys.modules["greeter.agent"].tool()) == ("one", "two")


def test_whoever_watches_sees_each_change(home, write):
    write("greeter/agent.py", agent("'one'"))
    catalog = Catalog(home)
    catalog.names()
    seen = [catalog.revision()]
    assert catalog.revision() == seen[-1]

    for change in (agent("'two'"), "1 / 0\n", agent("'three'")):
        write("greeter/agent.py", change)
        catalog.names()
        seen.append(catalog.revision())
    write("second/agent.py", agent("'one'"))
    catalog.names()
    seen.append(catalog.revision())

    assert len(set(seen)) == 5


def test_built_in_pipelines_have_their_sources():
    pipeline = Catalog().get("iterative_writing")

    assert pipeline.sources["agent.py"] == (pipeline.folder / "agent.py").read_text()


def test_no_bytecode_of_user_packages_is_written_or_read(home, write):
    write("greeter/words.py", "WORDS = 'one'\n")
    write("greeter/agent.py", agent("WORDS", "from .words import WORDS"))

    assert says(Catalog(home)) == "one"
    assert list(home.rglob("*.pyc")) == []
