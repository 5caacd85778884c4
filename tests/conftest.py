"""Fixtures for every test: the asyncio backend, and nothing left behind for the next one or for whoever runs them."""

from __future__ import annotations

import gc
import os
import sys

import pytest
from hypothesis import HealthCheck, settings

from agents.models import connections
from agents.models.providers import endpoints
from agents.scope import OUTSIDE

PROVIDERS = (*(name for endpoint in endpoints().values() for name in endpoint.variables), "HF_ENDPOINT")
"""What the environment may say of providers."""

GARBAGE = (20_000, 20, 10)
"""When garbage is collected, see `gc.set_threshold`: a test is over before its own is worth the time."""


settings.register_profile(  # all else as it is, in CI as hypothesis has it there
    "unhurried", settings(), deadline=None, suppress_health_check=[*settings().suppress_health_check, HealthCheck.too_slow]
)
settings.load_profile("unhurried")  # on a busy machine a case takes as long as it takes


def pytest_configure(config):
    """Bytecode goes to pytest's cache where the environment wants none beside the sources.

    Without any, each worker would rewrite all tests again, and each process that a test starts compile the app.
    """
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", "") and (cache := getattr(config, "cache", None)):
        sys.dont_write_bytecode = False
        sys.pycache_prefix = os.environ["PYTHONPYCACHEPREFIX"] = str(cache.mkdir("bytecode"))


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Modules and tests are there to the end: no collection of garbage walks through them, now or later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(*GARBAGE)
        gc.enable()


@pytest.fixture(scope="module")
def own_garbage():
    """Each collection of garbage walks through what this module made, not through all that earlier tests left."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture(scope="session", autouse=True)
def quiet_environment(tmp_path_factory):
    """No keys, servers, traces, model files, database and folders of the user's own. Simulated models speak at once."""
    folder = tmp_path_factory.getbasetemp()
    with pytest.MonkeyPatch.context() as patch:
        for name in (*PROVIDERS, "PLAYGROUND_OTEL", "PLAYGROUND_DATA"):
            patch.delenv(name, raising=False)
        patch.setenv("PLAYGROUND_DB", str(folder / "playground.db"))
        patch.setenv("PLAYGROUND_FILES", str(folder / "files"))
        patch.setenv("PLAYGROUND_MODELS", str(folder / "models"))
        patch.setenv("PLAYGROUND_SIMULATED_SPEED", "0")
        yield


@pytest.fixture(scope="module", autouse=True)
def no_model_left_in_memory():
    """No model file that a test has loaded: the Settings page of another one would show it."""
    yield
    if (model_cache := sys.modules.get("agents.models.local.model_cache")) is not None:
        OUTSIDE._parts.pop(model_cache.ModelCache, None)


@pytest.fixture(autouse=True)
def nothing_left_behind():
    """No keys and servers that another test has typed; and the main module, in whose place Streamlit puts a page's script.

    A process that is spawned later would run that script.
    """
    main = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = main
    OUTSIDE._parts.pop(connections._Settings, None)
