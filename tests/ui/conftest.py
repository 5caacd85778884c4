"""Fixtures of the pages: no keys, answers at once, a manager of their own; a browser for what scripts draw."""

from __future__ import annotations

import functools

import pytest
from streamlit import config
from streamlit.components.v2 import manifest_scanner

from agents.pipelines import catalog
from agents.workspace import Workspace
from tests.ui.dom_cases import chromium
from tests.ui.stage import STAGES
from ui.access import identity
from ui.state import runs


@pytest.fixture(scope="session", autouse=True)
def read_once():
    """Each page under test looks through all installed packages for components, and each manager reads the built-in
    pipelines; they stay the same.
    """
    with pytest.MonkeyPatch.context() as patch:
        for module, name in ((manifest_scanner, "scan_component_manifests"), (catalog, "load_built_in")):
            patch.setattr(module, name, functools.cache(getattr(module, name)))
        yield


@pytest.fixture(autouse=True)
def as_it_was():
    """Whether an app serves, where, and for whom, is the process's: a test that changes it does not change the next one."""
    serves, address = identity._process.serves, config.get_option("server.address")
    yield
    identity._process.serves, identity._process.accounts = serves, None
    config.set_option("server.address", address)


@pytest.fixture(scope="module")
def browser():
    with chromium() as started:
        yield started


@pytest.fixture
def visit():
    """Opens the app to the network when it is called: from then on a page without a browser is a visitor's."""
    before = config.get_option("server.address")
    yield lambda: config.set_option("server.address", "0.0.0.0")
    config.set_option("server.address", before)


@pytest.fixture
def quiet_world(monkeypatch):
    """No keys, answers at once."""
    for name in ("GOOGLE_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PLAYGROUND_SIMULATED_SPEED", "0")


@pytest.fixture
def manager(quiet_world):
    runs.adopt(Workspace(None))
    yield runs.manager()
    runs.close()


@pytest.fixture
def stages(quiet_world):
    """A manager that has the pipelines of the stages too, e.g. one that asks before it pays."""
    runs.adopt(Workspace(None, agents_dir=STAGES))
    yield runs.manager()
    runs.close()


@pytest.fixture
def slow_manager(manager, monkeypatch):
    """Runs that take until somebody stops them."""
    monkeypatch.setenv("PLAYGROUND_SIMULATED_SPEED", "0.01")
    return manager
