"""A check: cases are run, and the events of each run are compared with what the case expects.

Each run has a store of its own, in memory, with a copy of the playbook: nothing of the user's is changed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from agents.ace.playbook import Playbook
from agents.ace.store.playbook_store import PlaybookStore
from agents.ace.store.reducer import NAME_KEY, ledger_of
from agents.cases.case import Case, InlinePlaybook, NewestPlaybook, NoPlaybook, PlaybookAtRevision
from agents.cases.evidence import Evidence, evidence_in
from agents.cases.expectations import Judge
from agents.cases.judge import judged
from agents.cases.verdict import Difference, differences
from agents.errors import CaseError, PlaygroundError
from agents.history.texts import texts_in
from agents.log import LogEntry
from agents.model import BaseLlm
from agents.models.connections import redact
from agents.models.pricing import list_prices
from agents.models.provider import Price
from agents.models.registry import LLMRegistry
from agents.models.simulated.model import SimulatedLlm
from agents.models.simulated.spec import SIMULATED
from agents.pipeline import Pipeline
from agents.pipelines.catalog import Catalog
from agents.runner import Runner
from agents.runs.requests import RunRequest, check_state, user_message
from agents.runtime.run_config import RunConfig
from agents.storage.stores import Store, open_store

Outcome = Literal["held", "failed", "error"]
_PAUSED = "paused"
_USER = "case"
"""The user of the database that a case runs in, which is its own."""
_COPY = "{}, case"
_NAME_LENGTH = 70


@dataclass(frozen=True, slots=True)
class CaseRun:
    """One run of a case.

    Attributes:
        differences: What does not hold, first entry first.
        error: Why the case could not be run to its end; "" if it could.
        entries: The session's log.
        texts: The texts that the log refers to, by `log.text_hash`.
        state: The session's state at the end, without playbooks.
    """

    differences: tuple[Difference, ...] = ()
    error: str = ""
    entries: tuple[LogEntry, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict[str, str])
    state: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def outcome(self) -> Outcome:
        """Whether it held."""
        return "error" if self.error else "failed" if self.differences else "held"

    @property
    def why(self) -> str:
        """Why it did not hold, in a sentence: the error, or the first difference."""
        return self.error or (str(self.differences[0]) if self.differences else "")


@dataclass(frozen=True, slots=True)
class CaseResult:
    """The result of a case.

    Attributes:
        case: The case.
        runs: Its runs, one for each repetition.
        path: Its file, if it has one.
    """

    case: Case
    runs: tuple[CaseRun, ...]
    path: Path | None = None

    @property
    def held(self) -> int:
        """How many of its runs held."""
        return sum(run.outcome == "held" for run in self.runs)

    @property
    def outcome(self) -> Outcome:
        """Whether each run held; if not, whether one had an error."""
        outcomes = {run.outcome for run in self.runs}
        return "error" if "error" in outcomes else "failed" if "failed" in outcomes else "held"

    @property
    def first_wrong(self) -> CaseRun | None:
        """The first run that did not hold."""
        return next((run for run in self.runs if run.outcome != "held"), None)


class Check:
    """Runs cases.

    Args:
        catalog: The pipelines.
        playbooks: Any playbook of the database from which cases take theirs; None: there are none.
        model: Name of the model for cases that name none.
        prices: The price table; by default the providers' list prices.
    """

    def __init__(
        self,
        catalog: Catalog,
        *,
        playbooks: PlaybookStore | None = None,
        model: str = SIMULATED,
        prices: Mapping[str, Price] | None = None,
    ) -> None:
        self._catalog = catalog
        self._playbooks = playbooks
        self._model = model
        self._prices = list_prices() if prices is None else prices

    async def run(self, case: Case, *, repeat: int = 1, path: Path | None = None) -> CaseResult:
        """Runs a case as often as asked for, one run after another."""
        runs = [await self.run_once(case) for _ in range(repeat)]
        return CaseResult(case, tuple(runs), path)

    async def run_once(self, case: Case, *, playbook: Playbook | None = None, config: RunConfig | None = None) -> CaseRun:
        """Runs a case once.

        Args:
            case: The case.
            playbook: The playbook to begin with; None for the one that the case names.
            config: Models and limits of the run; None for those of the case and the check. A judge is not asked with it.
        """
        try:
            pipeline = self._catalog.get(case.pipeline)
            chosen = await asyncio.to_thread(self._playbook_of, case) if playbook is None else playbook
            settings = config or _config_of(pipeline, case.model or self._model)
        except (PlaygroundError, ValueError) as error:
            return CaseRun(error=str(error))
        store = open_store(None)
        try:
            session_id, state = await self._start(store, pipeline, case, chosen)
            error = await _send(store, pipeline, case, session_id, settings, state)
            entries = await store.sessions.read_log(app_name=pipeline.name, user_id=_USER, session_id=session_id)
            run = await self._compared(case, pipeline, entries, error, with_judge=config is None)
            names = dict.fromkeys(name for entry in entries for name in texts_in(entry.kind, entry.fields()))
            return replace(run, texts=await store.sessions.read_texts(list(names)))
        except PlaygroundError as error:
            return CaseRun(error=str(error))
        finally:
            await store.close()

    async def _compared(
        self, case: Case, pipeline: Pipeline, entries: Sequence[LogEntry], error: str, *, with_judge: bool
    ) -> CaseRun:
        """What a log says of a case."""
        evidence = evidence_in(entries, self._prices)
        error = error or next((run.error or "the run failed" for run in evidence.runs if run.status == "failed"), "")
        found = differences(case.expect, evidence)
        if not error and with_judge:
            more, error = await self._judged(case, pipeline, evidence)
            found = sorted([*found, *more], key=lambda one: one.seq)
        if found and not error and case.why_not:
            error = f"{case.why_not} {found[0]}"
        state = {key: value for key, (value, _) in evidence.state.items()}
        return CaseRun(tuple(found), error, tuple(entries), state=state)

    def _playbook_of(self, case: Case) -> Playbook | None:
        match case.playbook:
            case NoPlaybook():
                return None
            case InlinePlaybook():
                return case.playbook.playbook()
            case NewestPlaybook() | PlaybookAtRevision():
                if self._playbooks is None:
                    raise CaseError("The case takes a stored playbook, and no database is given to take it from.")
                store = self._playbooks.beside(case.playbook.name or case.pipeline)
                return store.playbook() if isinstance(case.playbook, NewestPlaybook) else store.at(case.playbook.revision)

    async def _start(
        self, store: Store, pipeline: Pipeline, case: Case, playbook: Playbook | None
    ) -> tuple[str, dict[str, Any]]:
        """Makes the session with its playbook; its id, and the state that goes with the first message."""
        check_state(case.state)
        state = {key: value for key, value in case.state.items() if key != NAME_KEY}
        if playbook is not None:
            state[NAME_KEY] = copy = _COPY.format((playbook.name or pipeline.name)[:_NAME_LENGTH]).strip()
            tables = PlaybookStore(store.playbooks, copy, ledger=ledger_of(store.reducers))
            await asyncio.to_thread(tables.import_playbook, playbook)
        first = {**pipeline.card.first_state, **state}
        session = await store.sessions.create_session(app_name=pipeline.name, user_id=_USER, state=first)
        return session.id, state

    async def _judged(self, case: Case, pipeline: Pipeline, evidence: Evidence) -> tuple[list[Difference], str]:
        found: list[Difference] = []
        try:
            for one in case.expect:
                if isinstance(one, Judge):
                    model = model_for(pipeline, one.model or case.model or self._model)
                    difference = await judged(one, evidence, model)
                    found += [] if difference is None else [difference]
        except PlaygroundError as error:
            return found, str(error)
        return found, ""


def model_for(pipeline: Pipeline, name: str) -> BaseLlm:
    """The model of that name; the simulated one answers at once.

    Raises:
        ModelNotFoundError: No provider has one.
    """
    if name == SIMULATED:
        return SimulatedLlm(simulation=pipeline.card.simulation, words_per_second=0)
    return LLMRegistry.new_llm(name)


def outcomes(results: Sequence[CaseResult]) -> dict[Outcome, int]:
    """How many cases held, failed, and had an error."""
    return {outcome: sum(result.outcome == outcome for result in results) for outcome in ("held", "failed", "error")}


def _config_of(pipeline: Pipeline, model: str) -> RunConfig:
    return RunConfig(model=model_for(pipeline, model)).model_copy(update=pipeline.card.limits)


async def _send(
    store: Store, pipeline: Pipeline, case: Case, session_id: str, config: RunConfig, state: Mapping[str, Any]
) -> str:
    """Sends the messages; why that ended early, or "". A run that waits for an answer ends the session."""
    runner = Runner(
        app_name=pipeline.name,
        agent=pipeline.root_agent,
        **pipeline.of_app,
        session_service=store.sessions,
        artifact_service=store.artifacts,
    )
    for message in case.messages:
        request = RunRequest(pipeline, user_message(message), config.model, None, state, user_id=_USER)
        events = runner.run_async(
            user_id=_USER,
            session_id=session_id,
            new_message=request.message,
            state_delta=request.state_delta,
            run_config=config,
        )
        try:
            async with aclosing(events):
                async for _ in events:
                    pass
        except Exception as error:  # noqa: BLE001  whatever an agent raises is this case's error
            return redact(str(error)) or type(error).__name__
        if await _waits(store, pipeline, session_id):
            break
    return ""


async def _waits(store: Store, pipeline: Pipeline, session_id: str) -> bool:
    found = await store.sessions.summary(app_name=pipeline.name, user_id=_USER, session_id=session_id)
    return found is not None and found.status == _PAUSED
