"""Tools that work: run a pipeline, with progress, and run cases."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import aclosing
from typing import Any, ClassVar

from mcp.server.mcpserver import Context
from mcp_types import ToolAnnotations

from agents import EVENT_KIND, LogEntry
from agents.access import Action
from agents.cases import Check, outcomes, read_cases
from agents.workspace import Workspace
from ui.api import followed_run
from ui.api.mcp.session_tools import READS, cut
from ui.web.threads import in_thread

MOST_CASES = 50
RUNS = ToolAnnotations(read_only_hint=False, destructive_hint=False)


class RunTools:
    """The tools.

    Args:
        workspace: Returns the workspace of the user who asks.
    """

    OFFERED: ClassVar[Mapping[str, ToolAnnotations]] = {"list_pipelines": READS, "run_pipeline": RUNS, "run_cases": RUNS}

    def __init__(self, workspace: Callable[[], Workspace]) -> None:
        self._workspace = workspace

    async def list_pipelines(self) -> dict[str, Any]:
        """Lists what can be run: name, title, what happens, a message to try."""

        def read() -> dict[str, Any]:
            catalog = self._workspace().catalog
            cards = {name: catalog.get(name).card for name in catalog.names()}
            return {
                "pipelines": [
                    {"name": name, "title": card.title, "summary": card.summary, "sample": next(iter(card.samples), "")}
                    for name, card in cards.items()
                ]
            }

        return await in_thread(read)

    async def run_pipeline(
        self, pipeline: str, message: str, ctx: Context[Any], session: str = "", model: str = ""
    ) -> dict[str, Any]:
        """Runs a pipeline, in a new session or as the next message of one, and tells each event as progress.

        Without a model the one in Settings answers. The result is the last answer; if the run waits for a person, what for.
        """
        manager = await in_thread(lambda: self._workspace().runs)
        run = await followed_run.start(manager, pipeline, message, session_id=session or None, model=model or None)
        number, answer, end = 0, "", None
        async with aclosing(followed_run.follow(manager, run)) as news:
            async for item in news:
                if isinstance(item, LogEntry) and item.kind == EVENT_KIND:
                    event, number = item.event(), number + 1
                    answer = event.text if event.is_final_response() and event.text else answer
                    await ctx.report_progress(number, message=f"{event.author}: {(event.text or 'works')[:200]}")
                elif isinstance(item, followed_run.RunEnd):
                    end = item
        assert end is not None
        waiting = [{"agent": call.agent, "tool": call.tool, "args": cut(dict(call.args))} for call in end.waiting]
        told = {"error": end.record.error_message, "waits_for": waiting}
        return {
            "pipeline": run.pipeline,
            "session": run.session_id,
            "status": end.record.status,
            "answer": cut(answer),
            **{key: value for key, value in told.items() if value},
        }

    async def run_cases(self, ctx: Context[Any], pipeline: str = "", name: str = "", model: str = "") -> dict[str, Any]:
        """Runs the cases of this playground: sessions that were right, kept as tests; those of a pipeline, or by name."""

        def read() -> tuple[Any, list[Any]]:
            workspace = self._workspace()
            manager = workspace.runs
            manager.require(Action.USE_CASES)
            preferences = manager.models.preferences
            checker = Check(
                manager.catalog,
                playbooks=manager.playbooks("default"),
                model=model or preferences.model,
                prices=preferences.price_table,
            )
            folder = workspace.cases_folder
            cases = [
                one
                for one in (read_cases(folder).cases if folder.is_dir() else ())
                if pipeline in ("", one.case.pipeline) and name.casefold() in one.case.name.casefold()
            ]

            def check(stored: Any) -> Any:
                return manager.work(lambda _: checker.run(stored.case, path=stored.path), action=Action.USE_CASES)

            return check, cases[:MOST_CASES]

        check, cases = await in_thread(read)
        results: list[Any] = []
        for number, stored in enumerate(cases, start=1):
            results.append(result := await in_thread(check, stored))
            await ctx.report_progress(number, len(cases), f"{result.outcome}: {stored.case.name[:100]}")
        told = [
            {"case": one.case.name, "outcome": one.outcome, "why": cut(one.first_wrong.why) if one.first_wrong else ""}
            for one in results
        ]
        return {"results": told, **outcomes(results)}
