"""Imports one pipeline package and makes a `Pipeline` of it.

A user package is imported under its own name, or a private one if another module has that name, so that neither hides the
other.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import sys
import traceback
from collections.abc import Mapping
from dataclasses import replace
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any, cast

from agents.agent import BaseAgent
from agents.errors import PipelineLoadError, known
from agents.log import EVENT_KIND, trace_kinds
from agents.models.connections import redact, take_env
from agents.pipeline import Card, Observation, Pipeline, describe_tree
from agents.pipelines.env_file import read_env
from agents.pipelines.import_path import module_name_for, put_on_path
from agents.pipelines.missing_modules import explain_missing
from agents.pipelines.plain_card import plain_card

MOST_FAILURE_TEXT = 20_000
"""Characters of an error that are kept: its first and its last half."""

_CARD_TEXTS = ("title", "pattern", "summary", "lesson", "ends_when")
_ENV = ".env"
_LOADED_FILES = ("__init__.py", "agent.py", "card.py", _ENV)


def load_built_in(name: str) -> Pipeline:
    """A pipeline that comes with the playground.

    Raises:
        PipelineLoadError: It has no `root_agent`, or its card is none.
        Exception: Whatever its modules raise.
    """
    package = importlib.import_module(f"agents.pipelines.{name}")
    pipeline = _pipeline(name, package, Path(__file__).parent / name)
    if pipeline is None:
        raise PipelineLoadError(f"The package agents.pipelines.{name} has no agent.py.")
    return pipeline


def load_from(folder: Path, agents_dir: Path) -> Pipeline | None:
    """A pipeline of the user's own.

    Args:
        folder: The package's folder; its name becomes the pipeline's.
        agents_dir: The folder that it must lie in, links followed.

    Returns:
        None for a package without `agent.py` and without `root_agent`: others may import it.

    Raises:
        PipelineLoadError: It has no `root_agent`, its card is none, or a link leads out of `agents_dir`.
        Exception: Whatever its modules raise.
    """
    root = agents_dir.resolve()
    for file in (folder, *(folder / name for name in _LOADED_FILES), root / _ENV):
        if not file.resolve().is_relative_to(root):
            raise PipelineLoadError(f"{file} is a link to {file.resolve()}, outside of {root}. Copy it there instead.")
    if not os.access(folder, os.R_OK | os.X_OK):
        raise PipelineLoadError(f"The folder {folder} may not be read by this account. Change its permissions.")
    for file in (folder / _ENV, root / _ENV):  # the package's own goes first
        take_env(read_env(file))
    put_on_path(root)
    module = module_name_for(folder, root)
    _forget(module)
    try:
        return _pipeline(folder.name, _import_package(module, folder), folder)
    except BaseException:
        _forget(module)
        raise


def failure_text(error: BaseException, folder: Path) -> str:
    """Why a package cannot be loaded, without keys; the last line says it in short.

    That is the traceback from the package's own first line on; one sentence for modules that are not installed; of an error
    of this module, its message alone.

    Args:
        error: What was raised, of any type; showing it may raise in turn.
        folder: The package's folder.
    """
    try:
        text = (
            str(error) if type(error) is PipelineLoadError else explain_missing(error, folder) or _traceback(error, folder)
        )
    except BaseException:  # noqa: BLE001  the error is the package's own class, and may do anything when it is shown
        text = f"It raised an error of type {type(error).__qualname__}, which cannot be shown."
    text = redact(text).rstrip()
    if len(text) > MOST_FAILURE_TEXT:
        half = MOST_FAILURE_TEXT // 2
        text = f"{text[:half]}\n… {len(text) - 2 * half:,} characters left out …\n{text[-half:]}"
    return text


def _traceback(error: BaseException, folder: Path) -> str:
    return "".join(traceback.format_exception(type(error), error, _from_within(error.__traceback__, folder)))


def _import_package(module: str, folder: Path) -> ModuleType:
    importlib.invalidate_caches()
    start = folder / "__init__.py"
    if start.is_file():
        spec = importlib.util.spec_from_file_location(module, start, submodule_search_locations=[str(folder)])
    else:
        spec = ModuleSpec(module, None, is_package=True)
        spec.submodule_search_locations = [str(folder)]
    if spec is None:
        raise PipelineLoadError(f"{start} cannot be imported as Python.")
    package = importlib.util.module_from_spec(spec)
    sys.modules[module] = package
    if spec.loader is not None:
        spec.loader.exec_module(package)
    return package


def _forget(module: str) -> None:
    for name in [name for name in sys.modules if name == module or name.startswith(f"{module}.")]:
        del sys.modules[name]


def _pipeline(name: str, package: ModuleType, folder: Path) -> Pipeline | None:
    has_agent_file = (folder / "agent.py").is_file()
    holder = importlib.import_module(f"{package.__name__}.agent") if has_agent_file else package
    root_agent = getattr(holder, "root_agent", None)
    if root_agent is None and holder is not package:
        root_agent = getattr(package, "root_agent", None)
    if root_agent is None:
        if not has_agent_file:
            return None
        raise PipelineLoadError(f"{folder / 'agent.py'} has no root_agent. Assign the top of your agent tree to that name.")
    if not isinstance(root_agent, BaseAgent):
        raise PipelineLoadError(
            f"root_agent in {folder} is of type {type(root_agent).__module__}.{type(root_agent).__qualname__}; it must be "
            "an agent of the package `agents`, such as LlmAgent or LoopAgent."
        )
    describe_tree(root_agent)  # every page needs it: a failure should show here
    card = _card(package, folder) or plain_card(name, root_agent)
    if not card.simulation:
        card = replace(card, simulation=_simulation(holder))
    return Pipeline(name, root_agent, card, folder)


def _simulation(module: ModuleType) -> Mapping[str, Any]:
    """`SIMULATION` beside `root_agent`, agent name → simulation; empty where the name means something else."""
    found: object = getattr(module, "SIMULATION", None)
    if not isinstance(found, Mapping):
        return {}
    return {name: answer for name, answer in cast("Mapping[str, Any]", found).items() if callable(answer)}


def _card(package: ModuleType, folder: Path) -> Card | None:
    """`card` of `card.py` or of the package, None where there is neither."""
    has_card_file = (folder / "card.py").is_file()
    card = getattr(importlib.import_module(f"{package.__name__}.card") if has_card_file else package, "card", None)
    if card is None and not has_card_file:
        return None
    if not isinstance(card, Card):
        found = "nothing" if card is None else f"something of type {type(card).__qualname__}"
        raise PipelineLoadError(f"card in {folder} is {found}; it must be an `agents.pipeline.Card`. Or leave it out.")
    texts = {name: getattr(card, name) for name in _CARD_TEXTS}
    texts |= {f"samples[{n}]": sample for n, sample in enumerate(card.samples)}
    texts |= {f"observations[{n}].text": observation.text for n, observation in enumerate(card.observations)}
    for name, text in texts.items():
        if not isinstance(text, str):
            raise PipelineLoadError(
                f"{name} of the card in {folder} is of type {type(text).__qualname__}; it must be a str."
            )
    for n, observation in enumerate(card.observations):
        if problem := _observation_problem(observation, card):
            raise PipelineLoadError(f"observations[{n}] of the card in {folder}: {problem}")
    return card


def _observation_problem(observation: Observation, card: Card) -> str | None:
    """Why the session view could never tick it off, or nobody could see it done."""
    kinds = (EVENT_KIND, *trace_kinds())
    if observation.kind not in kinds:
        return f"there is no kind of log entry {observation.kind!r}. There are: {known(kinds)}."
    if observation.count < 1:
        return f"count is {observation.count}; it must be 1 or more."
    if observation.break_title:
        titles = [broken.title for broken in card.breaks]
        found = observation.break_title in titles
        return None if found else f"there is no break {observation.break_title!r}. There are: {known(titles)}."
    if not 1 <= observation.sample <= len(card.samples):
        return f"sample is {observation.sample}, and the card has {len(card.samples)}. Samples are counted from 1."
    try:
        json.dumps(observation.body)
    except (TypeError, ValueError) as error:
        return f"body is not JSON: {error}."
    return None


def _from_within(trace: TracebackType | None, folder: Path) -> TracebackType | None:
    """The traceback from the first frame on whose code lies in `folder`; none of it if no code there ran."""
    while trace is not None and not Path(trace.tb_frame.f_code.co_filename).is_relative_to(folder):
        trace = trace.tb_next
    return trace
