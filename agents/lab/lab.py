"""`Lab`: begins runs, resumes them, lists them. A run lives in a folder of its own beside the database."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from shutil import rmtree
from typing import Any

from agents.access import OWNER, Action, User, permits, require
from agents.ace.formats.file import MAX_PLAYBOOK_BYTES
from agents.ace.playbook import Playbook
from agents.ace.store.playbook_store import PlaybookStore
from agents.errors import DatabaseError, DataSetError, LabError, PlaybookFormatError, known
from agents.lab.active_run import ActiveRun
from agents.lab.data.spec import path_in
from agents.lab.description.arms import PlaybookSource
from agents.lab.description.lab_description import LabDescription
from agents.lab.plan.origin import Origin, read_run_file, version_of, write_run_file
from agents.lab.plan.stream import Samples
from agents.lab.results.lab_run import LabRun, Status
from agents.lab.results.run_store import RunStore
from agents.lab.run_folder import (
    DATABASE,
    RUN_FILE,
    copy_run,
    delete_folder,
    found_folder,
    new_folder,
    restore_folder,
    run_names,
)
from agents.lab.sample import Sample
from agents.lab.scorer import Scorer
from agents.lab.task import Answerer, Execute, Outcome, Said, Task
from agents.lab.trials.optimizer import check_gepa
from agents.lab.trials.trial import Setup
from agents.lab.work.model_access import check_model
from agents.lab.work.rewriter import REWRITER
from agents.lab.work.worker import run_sample
from agents.model import BaseLlm
from agents.models.simulated.spec import SIMULATED
from agents.pipeline import Pipeline
from agents.pipelines.catalog import Catalog
from agents.scope import current_scope
from agents.storage.address import Database, is_stored
from agents.storage.given_file import read_given
from agents.storage.stores import open_playbooks

FOLDER = "lab"


def lab_folder(beside: Path) -> Path:
    """Where the runs of a database are, in the folder beside it."""
    return beside / FOLDER


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """Parts of a run that are given in Python instead of being named in its description.

    Attributes:
        data: The data set.
        scorer: The scorer.
        model: The model.
        answerers: Callables by the names of their arms.
        playbooks: Playbooks that arms begin with, by the names of the arms.
        execute: Runs the tasks.
        tell: Called with what models say while this process runs the tasks itself.
    """

    data: Samples | None = None
    scorer: Scorer | None = None
    model: BaseLlm | None = None
    answerers: Mapping[str, Answerer] | None = None
    playbooks: Mapping[str, Playbook] | None = None
    execute: Execute = run_sample
    tell: Callable[[Said], None] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunInfo:
    """A row of the list of runs.

    Attributes:
        name: The name of its folder.
        status: Whether it has ended.
        arms: Its arms.
        samples: Samples done, of all arms and seeds.
        model: The model of its agents.
        calls: Model calls so far.
        seconds: Seconds that its samples took so far.
        begun: When it was begun, in seconds since 1970.
        problem: Why it cannot be read; "" if it can.
    """

    name: str
    status: Status = "waiting"
    arms: tuple[str, ...] = ()
    samples: int = 0
    model: str = ""
    calls: int = 0
    seconds: float = 0.0
    begun: float = 0.0
    problem: str = ""


class Lab:
    """The runs of one folder. What changes one may raise `NotPermittedError`.

    Args:
        folder: The folder; see `lab_folder`. It is made when a run begins.
        database: The database that arms take playbooks from by name.
        agents_dir: A folder with more pipelines.
        teams: The folder of the user's teams.
        user: Who asks.
    """

    def __init__(
        self,
        folder: Path,
        *,
        database: Database | None = None,
        agents_dir: Path | None = None,
        teams: Path | None = None,
        user: User = OWNER,
    ) -> None:
        self.folder = folder
        self._database, self._agents_dir, self._teams, self._user = database, agents_dir, teams, user
        self._scope = current_scope()

    def require(self) -> None:
        """Checks that the user may work with lab runs, for what is done to an `ActiveRun`.

        Raises:
            NotPermittedError: The user may only read them.
        """
        require(self._user, Action.USE_LAB)

    def begin(
        self, description: LabDescription | str, *, beside: Path | None = None, parts: Parts | None = None
    ) -> ActiveRun:
        """Begins a run in a folder of its own, without working on it yet; see `ActiveRun.run`.

        Args:
            description: The description, or its TOML, which is kept as it is.
            beside: The folder that its relative paths start from; by default the working directory.
            parts: What is given in Python.

        Raises:
            LabError: The description is wrong, one of its playbooks cannot be read, or its model lacks a key or a file.
            DataSetError: The data cannot be read.
            ScorerError: There is no such scorer.
            PipelineNotFoundError: There is no such pipeline.
        """
        self.require()
        text = description if isinstance(description, str) else description.to_toml()
        prepared = self._prepared(text, (beside or Path.cwd()).absolute(), parts or Parts())
        self._check_model(prepared)
        folder = new_folder(self.folder, prepared.description.name)
        try:
            write_run_file(folder / RUN_FILE, text, prepared.origin)
        except OSError as error:
            rmtree(folder, ignore_errors=True)  # it would be listed as a run that cannot be read
            raise LabError(
                f"The folder {folder} of the run cannot be written: {error.strerror}. Nothing was begun."
            ) from None
        return self._active(folder, prepared)

    def resume(self, name: str, *, parts: Parts | None = None) -> ActiveRun:
        """Takes up a run where it stands; see `ActiveRun.run`.

        Args:
            name: The name of its folder.
            parts: What was given in Python when it began.

        Raises:
            LabError: There is no such run, or what it was begun with has changed; the message says what.
        """
        self.require()
        folder = found_folder(self.folder, name)
        text, before = read_run_file(folder / RUN_FILE)
        prepared = self._prepared(text, Path(before.folder), parts or Parts())
        if changed := prepared.origin.changes_since(before):
            raise LabError(
                f"The run {name!r} cannot go on: since it began, {' and '.join(changed)} changed, so its results would not "
                "fit together. Begin a new run with the same description, or change it back."
            )
        with self.open(name) as run:
            is_over = run.status == "finished"
        if not is_over:
            self._check_model(prepared)
        return self._active(folder, prepared)

    def open(self, name: str) -> LabRun:
        """The results of a run, also while it is worked on.

        Raises:
            LabError: There is no such run.
        """
        require(self._user, Action.READ_LAB)
        folder = found_folder(self.folder, name)
        text, origin = read_run_file(folder / RUN_FILE)
        description = LabDescription.from_toml(text, file=str(folder / RUN_FILE))
        return LabRun(name, description, origin, RunStore(folder / DATABASE), user=self._user)

    def add_copy(self, source: Path, name: str) -> str:
        """Adds a run that was recorded elsewhere, unless it is there already; see `copy_run`.

        Raises:
            LabError: The source is no run, or the copy cannot be written.
        """
        self.require()
        return copy_run(source, self.folder, name)

    def delete(self, name: str) -> str:
        """Puts a run aside, so that it is not listed any more. Its folder is kept, below `.deleted`.

        Returns:
            What `restore` needs to bring it back.

        Raises:
            LabError: There is no such run, a process works on it, or its folder cannot be moved.
        """
        self.require()
        database = found_folder(self.folder, name) / DATABASE
        if database.is_file():
            with suppress(DatabaseError), closing(RunStore(database)) as store:  # what cannot be read can be deleted
                store.check_unclaimed("delete the run")
        return delete_folder(self.folder, name)

    def restore(self, deleted: str, name: str) -> str:
        """Brings a deleted run back, and returns its name: with a number, if another run has it now.

        Args:
            deleted: What `delete` returned.
            name: The run's name.

        Raises:
            LabError: It is not there any more, or its folder cannot be moved.
        """
        self.require()
        return restore_folder(self.folder, deleted, name)

    async def answer_again(
        self, name: str, arm: str, seed: int, number: int, *, without: Collection[str] = (), parts: Parts | None = None
    ) -> Outcome:
        """Answers a sample of a run once more, with the playbook that it had, without some bullets. Nothing is stored.

        Args:
            name: The name of the run's folder.
            arm: The arm.
            seed: The seed.
            number: The number of the result in the arm, from 0.
            without: Ids of bullets that are switched off.
            parts: What was given in Python when the run began.

        Raises:
            LabError: There is no such run, arm or result, or the playbook has no such bullet.
        """
        self.require()
        given = parts or Parts()
        with self.open(name) as run:
            description, folder = run.description, Path(run.origin.folder)
            result = next(run.results(arm, seed, after=number - 1, limit=1), None)
            if result is None or result.number != number:
                raise LabError(f"The arm {arm!r} of the run {name!r} has not answered the sample {number + 1}.")
            playbook = run.playbook(arm, seed).at(result.before)
        if missing := [id_ for id_ in without if id_ not in playbook]:
            raise LabError(f"The playbook had no bullet {missing[0]!r} at revision {result.before}.")
        for id_ in dict.fromkeys(without):
            playbook = playbook.without(id_)
        task = Task(
            sample=Sample(id=result.sample, question=result.question, truth=result.truth, labels=result.labels),
            playbook=playbook,
            pipeline=description.pipeline,
            model=given.model or description.model,
            models=next(one.models for one in description.arms if one.title == arm),
            temperature=description.temperature,
            scorer=given.scorer or _scorer(description, lambda: given.data or _open_data(description.data, folder)),
            agents_dir=self._catalog().folder_of(description.pipeline),
            version=version_of(self._pipeline(description.pipeline)),
            answerer=(given.answerers or {}).get(arm),
        )
        with self._scope.entered():
            return await given.execute(task)

    def text(self, name: str) -> str:
        """The description of a run, as it was given.

        Raises:
            LabError: There is no such run.
        """
        require(self._user, Action.READ_LAB)
        return read_run_file(found_folder(self.folder, name) / RUN_FILE)[0]

    def names(self) -> list[str]:
        """The names of all runs, in order; also of those that cannot be read. None for who may not look at them."""
        return run_names(self.folder) if permits(self._user, Action.READ_LAB) else []

    def runs(self) -> list[RunInfo]:
        """All runs, by name; also those that cannot be read."""
        return [self._info(name) for name in self.names()]

    def _info(self, name: str) -> RunInfo:
        begun = 0.0
        try:
            begun = (found_folder(self.folder, name) / RUN_FILE).stat().st_mtime  # it is written once
            with self.open(name) as run:
                arms = tuple(arm.title for arm in run.description.arms)
                standings = run.standings()
                return RunInfo(
                    name=name,
                    status=run.status,
                    arms=arms,
                    samples=sum(one.number for one in standings),
                    model=run.description.model,
                    calls=sum(one.calls for one in standings),
                    seconds=sum(one.seconds for one in standings),
                    begun=begun,
                )
        except (LabError, DatabaseError, OSError) as error:
            return RunInfo(name=name, begun=begun, problem=str(error))

    def _prepared(self, text: str, folder: Path, parts: Parts) -> _Prepared:
        description = LabDescription.from_toml(text)
        pipeline = self._pipeline(description.pipeline)
        data = parts.data or _open_data(description.data, folder)
        playbooks = self._playbooks(description, folder, parts)
        answerers = parts.answerers or {}
        if any(arm.kind == "gepa" for arm in description.arms):
            check_gepa()
        _check_agents(description, pipeline)
        if missing := [arm.title for arm in description.arms if arm.kind == "callable" and arm.title not in answerers]:
            raise LabError(f"The arm {missing[0]!r} is a Python callable: begin and resume this run in Python, and give it.")
        origin = Origin.of(text, data=data, pipeline=pipeline, playbooks=playbooks, folder=folder)
        return _Prepared(description, origin, data, parts.scorer or _scorer(description, lambda: data), playbooks, parts)

    def _pipeline(self, name: str) -> Pipeline:
        with self._scope.entered():
            return self._catalog().get(name)

    def _catalog(self) -> Catalog:
        return Catalog(self._agents_dir, teams=self._teams)

    def _playbooks(self, description: LabDescription, folder: Path, parts: Parts) -> dict[str, Playbook]:
        found = dict(parts.playbooks or {})
        for arm in description.arms:
            source: PlaybookSource | None = getattr(arm, "playbook", None)
            if source is not None and arm.title not in found:
                found[arm.title] = self._playbook(source, folder)
        return found

    def _playbook(self, source: PlaybookSource, folder: Path) -> Playbook:
        if source.file is not None:
            try:
                content = read_given(path_in(folder, source.file), most=MAX_PLAYBOOK_BYTES)
                return Playbook.from_file(content)
            except (OSError, DataSetError, PlaybookFormatError) as error:
                why = str(getattr(error, "strerror", None) or error).removesuffix(".")
                raise LabError(f"The playbook {source.file!r} cannot be read: {why}.") from None
        if self._database is None or not is_stored(self._database):
            raise LabError(f"There is no database to take the playbook {source.name!r} from. Give --db, or name a file.")
        with PlaybookStore(open_playbooks(self._database), source.name or "") as store:
            known_names = [info.name for info in store.names()]
            if source.name not in known_names:
                raise LabError(f"There is no playbook {source.name!r} in {self._database}. There are: {known(known_names)}.")
            return store.playbook() if source.revision is None else store.at(source.revision)

    def _check_model(self, prepared: _Prepared) -> None:
        """Raises if every sample would fail by the model, or it cannot answer GEPA's own prompt."""
        given, told = prepared.parts.model, prepared.description
        for arm in told.arms:
            rewriter = arm.models.get(REWRITER, SIMULATED if given is None and told.model == SIMULATED else "")
            if arm.kind == "gepa" and arm.reflection == "gepa" and rewriter == SIMULATED:
                raise LabError(
                    "The simulated model cannot answer GEPA's own prompt. Name a real model, or leave "
                    'reflection = "gepa" out.'
                )
        asked = [arm for arm in told.arms if arm.kind != "callable"]
        names = [told.model] if given is None and asked else []
        with self._scope.entered():
            for name in dict.fromkeys([*names, *(name for arm in asked for name in arm.models.values())]):
                check_model(name, is_asked_here=prepared.parts.execute is run_sample)

    def _active(self, folder: Path, prepared: _Prepared) -> ActiveRun:
        store, parts, description = RunStore(folder / DATABASE), prepared.parts, prepared.description
        setup = Setup(
            description=description,
            data=prepared.data,
            scorer=prepared.scorer,
            store=store,
            execute=partial(run_sample, tell=parts.tell) if parts.execute is run_sample else parts.execute,
            model=parts.model or description.model,
            agents_dir=self._catalog().folder_of(description.pipeline),
            version=prepared.origin.pipeline,
            answerers=parts.answerers or {},
        )
        return ActiveRun(folder.name, setup, prepared.origin, prepared.playbooks, self._scope)


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A run's parts, before its folder is opened."""

    description: LabDescription
    origin: Origin
    data: Samples
    scorer: Scorer
    playbooks: Mapping[str, Playbook]
    parts: Parts


def _check_agents(description: LabDescription, pipeline: Pipeline) -> None:
    """Raises if an arm names the model of an agent that there is not."""
    for arm in description.arms:
        for agent in arm.models:
            if agent != REWRITER and pipeline.root_agent.find_agent(agent) is None:
                raise LabError(
                    f"The arm {arm.title!r} names a model for {agent!r}, and {pipeline.name!r} has no such agent. Write the "
                    "agent's name as its sessions show it."
                )


def _open_data(spec: Mapping[str, Any] | str, folder: Path) -> Samples:
    from agents.lab.data import open_data

    return open_data({"file": spec} if isinstance(spec, str) else spec, folder=folder)


def _scorer(description: LabDescription, data: Callable[[], Samples]) -> Scorer:
    """The scorer of a run; its data is opened only where the description leaves the choice to it."""
    from agents.lab.scorers import make_scorer

    return make_scorer(description.scorer or getattr(data(), "scorer", None) or {"kind": "folded"})
