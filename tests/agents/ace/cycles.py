"""A cycle on the stage: what its models answer, and sessions that share a playbook."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from google.genai import types

from agents import InMemorySessionService, RunConfig, Runner
from agents.ace.operations import DeltaBatch
from agents.ace.playbook import Playbook
from agents.ace.roles.cycle import ace_agent
from agents.ace.roles.settings import AceSettings
from agents.ace.store.playbook_store import PlaybookStore
from agents.flows.resume import invocation_for
from agents.models.scripted import ScriptedLlm
from agents.runtime.fault import Fault
from tests.agents.stage import APP, USER, Play, look, play

FORMULA = "current ratio = current assets / current liabilities"
ASK = "What is the current ratio of current assets of 120 and current liabilities of 80?"


def answer(final: Any = "1.50", *cited: str) -> str:
    return json.dumps({"reasoning": ["a step"], "bullet_ids": list(cited), "final_answer": final})


def reflection(error: str = "The ratio is upside down.", insight: str = "Divide by the liabilities.", **tags: str) -> str:
    return json.dumps(
        {
            "reasoning": "compared",
            "error_identification": error,
            "root_cause_analysis": "no formula",
            "correct_approach": "divide",
            "key_insight": insight,
            "bullet_tags": [{"id": id_.replace("_", "-"), "tag": tag} for id_, tag in tags.items()],
        }
    )


def curation(*operations: Mapping[str, Any], reasoning: str = "It was missing.") -> str:
    return json.dumps({"reasoning": reasoning, "operations": list(operations)})


def add(content: str = FORMULA, section: str = "FORMULAS") -> dict[str, Any]:
    return {"type": "ADD", "section": section, "content": content}


NO_ERROR = reflection("None.")
LEARNS = (answer(), reflection("None."), curation(add()))
"""A run that adds the formula."""


class Stage:
    """Sessions of one app and one database, in memory or in a file.

    Attributes:
        model: The scripted model of the last run.
    """

    def __init__(self, service: Any = None, **settings: Any) -> None:
        self.service = service or InMemorySessionService()
        self.agent = ace_agent(settings=AceSettings(**settings))
        self.model = ScriptedLlm()

    async def say(
        self,
        message: str,
        *script: Any,
        session: str = "s",
        faults: Sequence[Fault] = (),
        start: dict[str, Any] | None = None,
        run: dict[str, Any] | None = None,
        **delta: Any,
    ) -> Play:
        """One run; the model answers by `script`, which must be used up. `run` has further settings of the run."""
        self.model = ScriptedLlm(script=script)
        played = await play(
            self.agent,
            message,
            state=start,
            state_delta=delta,
            service=self.service,
            session_id=session,
            config=RunConfig(model=self.model, faults=tuple(faults), **(run or {})),
        )
        if not faults:
            self.model.assert_used_up()
        return played

    async def decide(self, call: types.FunctionCall, *decisions: Any, session: str = "s") -> Play:
        """Answers a review."""
        response = types.FunctionResponse(id=call.id, name=call.name, response={"decisions": list(decisions)})
        runner = Runner(app_name=APP, agent=self.agent, session_service=self.service)
        message = types.Content(role="user", parts=[types.Part(function_response=response)])
        config = RunConfig(model=ScriptedLlm())
        stored = await self.service.get_session(app_name=APP, user_id=USER, session_id=session)
        going_on = invocation_for(message, stored)
        run = runner.run_async(
            user_id=USER, session_id=session, new_message=message, run_config=config, invocation_id=going_on
        )
        result = Play(events=[event async for event in run])
        await look(result, self.service, session)
        return result

    @property
    def store(self) -> PlaybookStore:
        """The app's playbook, of sessions in memory."""
        return PlaybookStore(self.service.tables, name=APP)

    @property
    def playbook(self) -> Playbook:
        return self.store.playbook()

    def know(self, *contents: str, section: str = "FORMULAS") -> list[str]:
        """Puts bullets into the playbook; returns their ids."""
        batch = DeltaBatch(by="person", operations=[add(content, section) for content in contents])
        return [change["bullet_id"] for change in self.store.commit(batch).applied]


def commits(run: Play) -> list[dict[str, Any]]:
    """What came of the batches of a run."""
    return [event.actions.state_delta["app:playbook"] for event in run.events if "app:playbook" in event.actions.state_delta]


def commit_by(run: Play, who: str) -> dict[str, Any]:
    (found,) = [commit for commit in commits(run) if commit["by"] == who]
    return found


def said_by(run: Play, agent: str) -> list[str]:
    return [event.text for event in run.events if event.author == agent and event.text]


def reviews(run: Play) -> list[types.FunctionCall]:
    return [call for event in run.events for call in event.get_function_calls() if call.name == "review_delta"]


def status(run: Play) -> str:
    return run.records("run_finished")[-1]["status"]
