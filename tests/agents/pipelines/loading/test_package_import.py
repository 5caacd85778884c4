"""Imports of user packages that fail, hang, or change the process."""

from __future__ import annotations

import gc
import itertools
import logging
import os
import sys
import threading
import types
from pathlib import Path

import pytest

from agents.errors import PipelineLoadError
from agents.models import connections
from agents.pipelines.catalog import BUILT_IN, Catalog
from agents.pipelines.loading import failure, package_import
from agents.pipelines.loading.package_import import ImportThread

AGENT = "from agents import LlmAgent\nroot_agent = LlmAgent(name='Greeter')\n"
CARD = "from agents.pipeline import Card\n"
CARD += "card = Card(title='t', pattern='p', summary='s', lesson='l', samples=(), ends_when='e')\n"
KEY = "AIzaSyLoadErrorTest1234"
EVER = 3600.0
SILENT = "    def __str__(self): raise SystemExit"


@pytest.fixture
def home(tmp_path):
    return tmp_path


@pytest.fixture
def package(home):
    def write(name: str, agent: str, **files: str) -> Path:
        (home / name).mkdir()
        for file, text in {"agent": agent, **files}.items():
            (home / name / f"{file}.py").write_text(text)
        return home / name

    write("greeter", AGENT)
    return write


@pytest.fixture
def gate(monkeypatch):
    """What a package waits for while it is imported; opened at the end, so that no thread is left behind."""
    opened = threading.Event()
    module = types.ModuleType("playground_test_gate")
    module.wait = opened.wait
    monkeypatch.setitem(sys.modules, module.__name__, module)
    yield opened
    opened.set()
    imports_ended()


WAITING = f"import playground_test_gate\nplayground_test_gate.wait()\n{AGENT}"


def turns_are_over():
    """Waits until every import has had its turn."""
    for thread in threading.enumerate():
        if thread.name == "imports":
            thread.join(30)


def others_ended(catalog, *hanging):
    """Waits for all imports but these: on a busy machine they, too, are late, and count as hanging until they end."""
    catalog.names()
    turns_are_over()
    for thread in threading.enumerate():
        if isinstance(thread, ImportThread) and thread.name not in {f"import-{name}" for name in hanging}:
            thread.join(30)
            assert not thread.is_alive()


def imports_ended():
    """Waits for all imports, also those that wait for their turn. Each puts back the streams that it found."""
    turns_are_over()
    for thread in threading.enumerate():
        if isinstance(thread, ImportThread) and thread.ident is not None:
            thread.join(30)
            assert not thread.is_alive()


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("raise BaseException('bare')", "BaseException: bare"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("raise GeneratorExit", "GeneratorExit"),
        ("import asyncio\nraise asyncio.CancelledError", "CancelledError"),
        ("raise MemoryError", "MemoryError"),
        ("def f(): f()\nf()", "RecursionError"),
        ("import sys\nsys.exit('enough')", "SystemExit: enough"),
        ("exit(3)", "SystemExit: 3"),
        ("class E(BaseException):\n    def __str__(self): raise self\n    __repr__ = __str__\nraise E", "E: <exception str"),
        (f"from agents.errors import PipelineLoadError as P\nclass E(P):\n{SILENT}\nraise E('x')", "E: <exception str"),
        ("class E(SyntaxError):\n    lineno = property(lambda self: 1/0)\nraise E('x')", "which cannot be shown"),
    ],
)
def test_whatever_a_package_raises_is_reported_and_harms_no_other(home, package, source, reason):
    package("broken", source)
    catalog = Catalog(home)

    assert catalog.names() == [*BUILT_IN, "greeter"]
    assert reason in catalog.broken["broken"].reason
    with pytest.raises(PipelineLoadError, match="'broken' cannot be loaded"):
        catalog.get("broken")


def test_an_error_of_pydantic_names_each_field_and_the_line(home, package):
    package("broken", "from agents import LlmAgent\nroot_agent = LlmAgent(name='A', tools=7, nonsense=1)\n")
    reason = Catalog(home).broken["broken"].reason
    assert reason.startswith("ValidationError of LlmAgent: tools: Input should be a valid list; nonsense: Extra inputs")
    assert reason.endswith(", line 2)")
    assert "further information" not in reason


@pytest.mark.parametrize("source", ["raise ImportError(KEY)", "raise BaseException(KEY)", "import os\nos.environ[KEY]"])
@pytest.mark.parametrize("given", ["environment", "typed"])
def test_a_load_error_quotes_no_key(home, package, monkeypatch, caplog, source, given):
    package("broken", f"KEY = '{KEY}'\n{source}")
    if given == "typed":
        connections.use_key("gemini", KEY)
    else:
        monkeypatch.setenv("LLAMA_API_KEY", KEY)
    with caplog.at_level(logging.WARNING):
        catalog = Catalog(home)
        with pytest.raises(PipelineLoadError) as raised:
            catalog.get("broken")

    for text in (catalog.broken["broken"].text, str(raised.value), caplog.text):
        assert KEY not in text
        assert "[key]" in text


def test_a_very_long_error_is_cut(home, package):
    package("broken", "raise ValueError('x' * 10_000_000)")

    assert len(Catalog(home).broken["broken"].text) < failure.MOST_FAILURE_TEXT + 100


def test_an_import_that_hangs_is_reported_by_name_and_the_rest_works(home, package, gate, caplog):
    package("hanging", WAITING)
    package("later", AGENT)
    catalog = Catalog(home, patience=0.05)
    others_ended(catalog, "hanging")

    assert catalog.names() == [*BUILT_IN, "greeter", "later"]
    assert list(catalog.broken) == ["hanging"]
    assert f"The import of {home / 'hanging'} has not ended after 0.05 s" in catalog.broken["hanging"].text
    assert catalog.importing == ["hanging"]
    assert catalog.get("later").name == "later"
    assert "The pipeline hanging cannot be loaded: The import of" in caplog.text
    with pytest.raises(PipelineLoadError, match="has not ended after"):
        catalog.get("hanging")


def test_an_import_that_ends_late_can_be_used_from_then_on(home, package, gate):
    package("hanging", WAITING)
    catalog = Catalog(home, patience=0.05)
    assert "hanging" in catalog.broken

    gate.set()
    imports_ended()

    assert catalog.names() == [*BUILT_IN, "greeter", "hanging"]
    assert catalog.broken == {}
    assert catalog.importing == []
    assert catalog.get("hanging").root_agent.name == "Greeter"


def test_an_endless_loop_stops_nobody_else(home, package, gate):
    package("looping", f"import playground_test_gate\nwhile not playground_test_gate.wait(0): pass\n{AGENT}")
    catalog = Catalog(home, patience=0.05)
    others_ended(catalog, "looping")

    assert catalog.names() == [*BUILT_IN, "greeter"]


def test_threads_take_shorter_turns_while_an_import_takes_long(home, package, gate, monkeypatch):
    monkeypatch.setattr(package_import, "TURN", 0)
    usual = sys.getswitchinterval()
    package("hanging", WAITING)
    Catalog(home, patience=0.05).names()
    turns_are_over()
    assert sys.getswitchinterval() < usual / 5

    gate.set()
    imports_ended()
    assert sys.getswitchinterval() == pytest.approx(usual)


def test_a_built_in_pipeline_waits_for_no_import(home, package, gate):
    package("hanging", WAITING)
    catalog = Catalog(home, patience=EVER)

    assert catalog.get("status_poller").name == "status_poller"
    assert catalog.get("greeter").name == "greeter"


def test_the_one_that_is_asked_for_is_imported_alone(home, package, monkeypatch):
    ran = types.ModuleType("playground_test_ran")
    monkeypatch.setitem(sys.modules, ran.__name__, ran)
    package("broken", "import playground_test_ran\nplayground_test_ran.broken = 1\n1 / 0")
    package("zebra", f"import playground_test_ran\nplayground_test_ran.zebra = 1\n{AGENT}")
    catalog = Catalog(home)

    assert catalog.get("greeter").name == "greeter"
    turns_are_over()
    assert not {"broken", "zebra"} & vars(ran).keys()

    assert catalog.names() == [*BUILT_IN, "greeter", "zebra"]
    assert {"broken", "zebra"} < vars(ran).keys()


def test_a_page_waits_no_longer_than_it_wants(home, package, gate):
    package("hanging", WAITING)
    catalog = Catalog(home, patience=EVER, wait=0)

    assert catalog.names()[: len(BUILT_IN)] == list(BUILT_IN)
    assert "hanging" in catalog.importing
    assert "hanging" not in catalog.broken
    with pytest.raises(PipelineLoadError, match="'hanging' is still being imported"):
        catalog.get("hanging")


def test_streams_and_the_working_folder_are_put_back(home, package):
    imports_ended()
    before = (sys.stdin, sys.stdout, sys.stderr, Path.cwd())
    package("moving", f"import io, os, sys\nos.chdir('/')\nsys.stdin = sys.stdout = sys.stderr = io.StringIO()\n{AGENT}")
    package("failing", "import os, sys\nos.chdir('/')\nsys.stdout = None\n1/0")

    assert "moving" in Catalog(home).names()
    assert (sys.stdin, sys.stdout, sys.stderr, Path.cwd()) == before


@pytest.mark.parametrize("field", ["title", "pattern", "summary", "lesson", "ends_when"])
def test_a_card_whose_text_is_none_is_reported(home, package, field):
    package("carded", AGENT, card=f"{CARD}import dataclasses\ncard = dataclasses.replace(card, {field}=None)\n")

    assert f"{field} of the card in" in Catalog(home).broken["carded"].text


def test_an_agent_that_cannot_be_described_is_reported(home, package):
    own = "from agents import BaseAgent\nclass Own(BaseAgent):\n    tools: list = []\n"
    tool = "class Tool:\n    name = property(lambda self: 1/0)\n    __name__ = name\n"
    package(
        "carded",
        f"{tool}{own}root_agent = Own(name='O', tools=[Tool()])",
    )

    assert "ZeroDivisionError" in Catalog(home).broken["carded"].text


def test_a_package_that_may_not_be_read_is_reported(home, package, monkeypatch):
    closed = package("closed", AGENT)
    may = os.access
    monkeypatch.setattr(os, "access", lambda path, *rest, **more: Path(path) != closed and may(path, *rest, **more))

    assert (
        Catalog(home).broken["closed"].text
        == f"The folder {closed} may not be read by this account. Change its permissions."
    )


@pytest.mark.parametrize("error", [KeyError("gone"), RuntimeError("dictionary changed size during iteration")])
def test_an_import_goes_on_when_another_thread_forgets_the_same_folder(home, package, monkeypatch, error):
    class Late:
        """What a finder meets in `sys.path_importer_cache` when another thread was faster."""

        left = 1

        def find_spec(self, *_):
            return None

        def invalidate_caches(self):
            if self.left:
                self.left -= 1
                raise error

    monkeypatch.setattr(sys, "meta_path", [Late(), *sys.meta_path])

    assert Catalog(home).get("greeter").name == "greeter"


def test_an_import_goes_on_when_modules_come_during_garbage_collection(home, package, monkeypatch):
    numbers = itertools.count()

    def collected(phase, info):
        """Stands for another thread, which may be given its turn whenever Python code runs, such as this."""
        name = f"came_{next(numbers)}"
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))

    threshold = gc.get_threshold()
    held = [(number, number) for number in range(5_000)]  # no tuple that was given back is left to be used again
    gc.callbacks.append(collected)
    gc.set_threshold(50)
    try:
        pairs = list_of_pairs(sys.modules)
        loaded = Catalog(home).get("greeter")
    finally:
        gc.set_threshold(*threshold)
        gc.callbacks.remove(collected)

    assert len(held) == 5_000
    assert pairs is None, "what the import must not do no longer fails, so this test shows nothing"
    assert loaded.name == "greeter"


def list_of_pairs(modules):
    try:
        return list(modules.items())
    except RuntimeError:
        return None
