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
import weakref
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from agents.errors import PipelineLoadError, TeamError, known
from agents.log import EVENT_KIND, trace_kinds
from agents.models.connections import take_env
from agents.pipeline import Card, Observation, Pipeline, describe_tree
from agents.pipelines.loading.env_file import read_env
from agents.pipelines.loading.import_path import OWNER, module_name_for, put_on_path
from agents.pipelines.loading.root_agent import root_agent_of
from agents.pipelines.loading.sources.live_source import LiveSource, forget, forget_changed, import_live, loaded
from agents.pipelines.loading.sources.opened_files import OpenedFiles
from agents.pipelines.loading.sources.seen_file import SeenFile, seen_now
from agents.pipelines.plain_card import plain_card
from agents.pipelines.team_card import CARD, team_card
from agents.scope import current_scope
from agents.teams.store import TeamStore
from agents.teams.stored.revisions import FOLDER as REVISIONS
from agents.teams.team import Team
from agents.teams.team_files import ROOT, is_team
from agents.workflow.app import App

_CARD_TEXTS = ("title", "pattern", "summary", "lesson", "ends_when")
_ENV = ".env"
_LOADED_FILES = ("__init__.py", "agent.py", "card.py", CARD, "lesson.md", ROOT, _ENV)
_ATTEMPTS = 5


def load_built_in(name: str) -> Pipeline:
    """A pipeline that comes with the playground.

    Raises:
        PipelineLoadError: It has no `root_agent`, or its card is none.
        Exception: Whatever its modules raise.
    """
    package = importlib.import_module(f"agents.pipelines.{name}")
    pipeline = _pipeline(name, package, Path(__file__).parents[1] / name)
    if pipeline is None:
        raise PipelineLoadError(f"The package agents.pipelines.{name} has no agent.py.")
    texts = {file.name: file.read_text(encoding="utf-8") for file in pipeline.folder.glob("*.py")}
    return replace(pipeline, sources=texts)


@dataclass(frozen=True, slots=True)
class Loaded:
    """A package that was imported.

    Attributes:
        pipeline: None for a package without `agent.py` and without `root_agent`: others may import it.
        files: The modules that it was made of, and the files that decide which they are.
    """

    pipeline: Pipeline | None
    files: tuple[SeenFile, ...]


def load_from(folder: Path, agents_dir: Path, opened: OpenedFiles, *, hangs: bool = False) -> Loaded:
    """Imports a pipeline of the user's own, anew if it was imported before.

    Args:
        folder: The package's folder; its name becomes the pipeline's.
        agents_dir: The folder that it must lie in, links followed; it may be the package's own.
        opened: Gets the files that are opened by it.
        hangs: Whether an earlier import of the package has not ended.

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
    revision = _revision(folder)
    deciding = [seen_now(file) for file in (*(folder / name for name in _LOADED_FILES), root / _ENV)]
    for file in (folder / _ENV, root / _ENV):  # the package's own goes first
        take_env(read_env(file))
    put_on_path(folder.parent)
    import_live(root)
    forget_changed(root)
    module = module_name_for(folder, folder.parent, hangs=hangs)
    forget(_modules_of(module))
    try:
        with opened.noted():
            team = Team(folder) if is_team(folder) else None  # before any code of the folder is imported
            pipeline = _pipeline(folder.name, _import_package(module, folder), folder, team)
    except BaseException:
        forget(_modules_of(module))
        raise
    sources = loaded(_modules_of(module))
    if pipeline is not None:
        texts = _texts(sources.values(), folder) | (team.sources if team else {})
        pipeline = replace(pipeline, sources=texts, revision=revision)
    return Loaded(pipeline, (*deciding, *(one.seen for one in sources.values() if one.seen is not None)))


def _revision(folder: Path) -> int:
    """The revision of a team that its folder has now; 0 for another package."""
    with suppress(TeamError):
        if (folder / REVISIONS).is_dir():
            return TeamStore(folder.parent).read(folder.name).revision
    return 0


def _modules_of(package: str) -> list[str]:
    """The modules of a package that are loaded."""
    return [name for name in list(sys.modules) if name == package or name.startswith(f"{package}.")]


def _texts(sources: Iterable[LiveSource], folder: Path) -> dict[str, str]:
    """The sources that lie in a folder, by their names below it."""
    inner = [one for one in sources if Path(one.path).is_relative_to(folder)]
    return {Path(one.path).relative_to(folder).as_posix(): one.text for one in inner}


def _invalidate_caches() -> None:
    """Lets the import see files that are new.

    `importlib` raises KeyError where another thread, too, removes an entry of `sys.path_importer_cache` at this moment, and
    RuntimeError where one adds an entry.
    """
    for _ in range(_ATTEMPTS):
        with suppress(KeyError, RuntimeError):
            importlib.invalidate_caches()
            return


def _import_package(module: str, folder: Path) -> ModuleType:
    _invalidate_caches()
    start = folder / "__init__.py"
    if start.is_file():
        spec = importlib.util.spec_from_file_location(
            module, start, loader=LiveSource(module, str(start)), submodule_search_locations=[str(folder)]
        )
    else:
        spec = ModuleSpec(module, None, is_package=True)
        spec.submodule_search_locations = [str(folder)]
    if spec is None:
        raise PipelineLoadError(f"{start} cannot be imported as Python.")
    package = importlib.util.module_from_spec(spec)
    setattr(package, OWNER, weakref.ref(current_scope()))
    sys.modules[module] = package
    if spec.loader is not None:
        spec.loader.exec_module(package)
    return package


def _pipeline(name: str, package: ModuleType, folder: Path, team: Team | None = None) -> Pipeline | None:
    holder = importlib.import_module(f"{package.__name__}.agent") if (folder / "agent.py").is_file() else package
    found = team.make(partial(_named_in, package)) if team else root_agent_of(holder, package, folder)
    if found is None:
        return None
    app, root_agent = (found, found.root_agent) if isinstance(found, App) else (None, found)
    describe_tree(root_agent)  # every page needs it: a failure should show here
    card = _card(package, folder)
    if card is None and team is not None and (card := team_card(folder, root_agent, load_built_in)) is not None:
        _check_card(card, folder)
    card = card or plain_card(name, root_agent)
    if not card.simulation:
        card = replace(card, simulation=_simulation(holder))
    if app is None:
        return Pipeline(name, root_agent, card, folder)
    return Pipeline(
        name,
        root_agent,
        card,
        folder,
        plugins=app.plugins,
        events_compaction_config=app.events_compaction_config,
        unused=app.unused,
    )


def _named_in(package: ModuleType, dotted: str) -> Any:
    """What a dotted name below a package's folder stands for; the package may be imported under another name."""
    module, _, name = dotted.rpartition(".")
    _, _, below = module.partition(".")
    holder = importlib.import_module(f"{package.__name__}.{below}") if below else package
    return getattr(holder, name)


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
    _check_card(card, folder)
    return card


def _check_card(card: Card, folder: Path) -> None:
    """Refuses a card that a page could not show."""
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
