"""The gate of guarded playbooks: a delta is tried against the cases that cite, or could be given, a bullet that it touches.

A case counts as broken if it holds with the playbook as it is, and does not with the delta. Rubrics are not asked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from agents.access import OWNER
from agents.ace.changes import changed_ids
from agents.ace.gate import BrokenCase, Trial
from agents.ace.operations import DeltaBatch
from agents.ace.playbook import Playbook
from agents.ace.refine.retrieval import choose
from agents.ace.roles.feedback import split_message
from agents.ace.roles.settings import AceSettings
from agents.ace.store.playbook_store import PlaybookStore
from agents.cases.case import Case, NewestPlaybook
from agents.cases.check import CaseRun, Check, model_for
from agents.cases.expectations import Judge
from agents.cases.file import read_cases
from agents.cases.kept_run import keep_run
from agents.errors import PlaygroundError
from agents.models.replay.model import ReplayLlm
from agents.models.simulated.model import SimulatedLlm
from agents.models.you.model import YouLlm
from agents.pipelines.catalog import Catalog
from agents.runs.loops.loop_thread import LoopThread
from agents.runs.services import Services
from agents.runtime.run_config import RunConfig, StreamingMode
from agents.session import BaseSessionService
from agents.storage.stores import open_store

_WITHOUT, _WITH = "without the delta", "with the delta"


def case_gate(catalog: Catalog, services: Services) -> CaseGate:
    """The gate of a run manager's playbooks, for `RunManager(gate=case_gate)`."""
    return CaseGate(catalog, services.playbooks, sessions=services.sessions)


class CaseGate:
    """Tries deltas of playbooks that are guarded by a folder of cases; see `PlaybookStore.guard`.

    Args:
        catalog: The pipelines.
        playbooks: Any playbook of the database.
        sessions: Where to keep both runs of a case that breaks, as the owner's, who decides; None keeps none.
    """

    def __init__(self, catalog: Catalog, playbooks: PlaybookStore, *, sessions: BaseSessionService | None = None) -> None:
        self._catalog = catalog
        self._playbooks = playbooks
        self._sessions = sessions
        self._check = Check(catalog, playbooks=playbooks)

    async def try_delta(self, playbook: Playbook, batch: DeltaBatch, config: RunConfig) -> Trial | None:
        """See `DeltaGate`. A folder that cannot be read holds the delta back; a single bad file does not."""
        folder = await asyncio.to_thread(self._folder_of, playbook.name)
        if folder is None:
            return None
        if isinstance(config.model, ReplayLlm):
            return Trial(problems=("A replayed model has no answers for cases.",))
        try:
            found = await asyncio.to_thread(read_cases, folder)
            after, touched = await asyncio.to_thread(_with_delta, playbook, batch)
        except PlaygroundError as error:
            return Trial(why=str(error))
        every = [one.case for one in found.cases]
        cases = await asyncio.to_thread(_concerned, every, playbook, after, touched)
        problems = [*map(str, found.problems), *(_judged_alone(case) for case in cases if not _hard(case).expect)]
        broken: list[BrokenCase] = []
        asked = [case for case in cases if _hard(case).expect]
        for case in asked:
            trial = await self._try_case(case, playbook, after, config)
            if isinstance(trial, BrokenCase):
                broken.append(trial)
            elif trial is not None:
                problems.append(trial)
        return Trial(tried=len(asked), broken=tuple(broken), problems=tuple(problems))

    def _folder_of(self, name: str) -> Path | None:
        if not name:
            return None
        store = self._playbooks.beside(name)
        guard = store.guard
        return Path(guard) if guard and not store.frozen else None

    async def _try_case(self, case: Case, before: Playbook, after: Playbook, config: RunConfig) -> BrokenCase | str | None:
        """The broken case; a sentence if the case says nothing; None if it holds."""
        hard = _hard(case)
        try:
            settings = self._config(hard, config)
        except PlaygroundError as error:
            return f"{case.name}: {error}"
        run = await self._run(hard, after, settings)
        if run.outcome == "held":
            return None
        other = await self._run(hard, before, settings)
        if other.outcome != "held":
            return f"{case.name}: it does not hold without the delta either. {other.why}"
        kept = [await self._keep(case, one, about) for one, about in ((other, _WITHOUT), (run, _WITH))]
        return BrokenCase(name=case.name, why=run.why, pipeline=case.pipeline, before=kept[0], after=kept[1])

    async def _run(self, case: Case, playbook: Playbook, config: RunConfig) -> CaseRun:
        """Runs a case in a loop and a thread of its own: it may be of a user's package, whose code may block."""
        thread = LoopThread("playground-gate")
        try:
            return await thread.await_in_loop(self._check.run_once, case, playbook=playbook, config=config)
        finally:
            thread.end()

    def _config(self, case: Case, config: RunConfig) -> RunConfig:
        """The learning run's models, as fast as they can, for the run of a case."""
        pipeline = self._catalog.get(case.pipeline)

        def at_once(model: object) -> object:
            if isinstance(model, YouLlm):  # nobody is asked for cases
                model = model.usual
            if not isinstance(model, SimulatedLlm):
                return model
            return model.model_copy(update={"simulation": pipeline.card.simulation, "words_per_second": 0})

        return RunConfig(
            streaming_mode=StreamingMode.NONE,
            max_llm_calls=config.max_llm_calls,
            model=model_for(pipeline, case.model) if case.model else at_once(config.model),
            agent_models={agent: at_once(model) for agent, model in config.agent_models.items()},
            model_timeout=config.model_timeout,
        )

    async def _keep(self, case: Case, run: CaseRun, about: str) -> str:
        return (
            "" if self._sessions is None else await keep_run(self._sessions, case, run, user_id=OWNER.id, about=about) or ""
        )


def _with_delta(playbook: Playbook, batch: DeltaBatch) -> tuple[Playbook, set[str]]:
    """The playbook after a delta and its refinement, and the ids of the bullets that they touch."""
    store = PlaybookStore(open_store(None).playbooks, "trial")
    store.import_playbook(playbook)
    commit = store.commit(batch.model_copy(update={"playbook": None, "cited": None, "judgement": None}))
    touched = {id_ for change in commit.applied for id_ in changed_ids(change)}
    return store.playbook().replace(name=playbook.name), touched


def _hard(case: Case) -> Case:
    """The case without rubrics."""
    return case.model_copy(update={"expect": tuple(one for one in case.expect if not isinstance(one, Judge))})


def _judged_alone(case: Case) -> str:
    return f"{case.name}: it has a judge's rubric alone, which the gate does not ask."


def _concerned(cases: Sequence[Case], before: Playbook, after: Playbook, touched: set[str]) -> list[Case]:
    return [case for case in cases if _is_concerned(case, before, after, touched)]


def _is_concerned(case: Case, before: Playbook, after: Playbook, touched: set[str]) -> bool:
    """Whether the case runs with this playbook, and cites or could be given a bullet that the delta touches."""
    chosen = case.playbook
    if not isinstance(chosen, NewestPlaybook) or (chosen.name or case.pipeline) != before.name:
        return False
    if not touched.isdisjoint(case.cited):
        return True
    top_k = AceSettings.from_state(case.state, AceSettings()).top_k
    queries = [split_message(message).query for message in case.messages]
    return any(_could_give(playbook, touched, queries, top_k) for playbook in (before, after))


def _could_give(playbook: Playbook, ids: set[str], queries: Sequence[str], top_k: int) -> bool:
    """Whether one of the bullets goes into the prompt of a query: without retrieval all active ones do."""
    active = {id_ for id_ in ids if (bullet := playbook.get(id_)) is not None and not bullet.archived}
    if not active or not top_k:
        return bool(active)
    return any(not active.isdisjoint(choose(playbook, query, top_k)) for query in queries)
