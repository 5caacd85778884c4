"""Runs of the ACE pipeline over samples, as the demo measures it: predict, score, learn."""

from __future__ import annotations

from contextlib import aclosing

from google.genai import types

from agents import InMemorySessionService, RunConfig, Runner
from agents.ace import PlaybookStore
from agents.models import SimulatedLlm
from agents.pipelines import load_built_in
from agents.pipelines.ace.simulation.roles import SIMULATION


async def played(samples, scorer, *, simulation=SIMULATION, pruning=True, playbook=None, feedback="ground truth"):
    """Predict, score, learn; one session a question. Whether each answer is right, and the playbook's store."""
    service = InMemorySessionService()
    store = PlaybookStore(service.tables, "ace")
    if playbook is not None:
        store.import_playbook(playbook)
    runner = Runner(app_name="ace", agent=load_built_in("ace").root_agent, session_service=service)
    config = RunConfig(model=SimulatedLlm(simulation=simulation, words_per_second=0))
    state = {"pruning": pruning, "feedback_from": feedback}
    found = []
    for sample in samples:
        session = await service.create_session(app_name="ace", user_id="u", state=state)
        text = f"{sample.question}\nAnswer: {sample.truth}"
        message = types.Content(role="user", parts=[types.Part(text=text)])
        answer = ""
        run = runner.run_async(user_id="u", session_id=session.id, new_message=message, run_config=config)
        async with aclosing(run) as events:
            async for event in events:
                if output := event.actions.state_delta.get("generator_output"):
                    answer = output["final_answer"]
        found.append((await scorer.score(answer, sample)).is_right)
    return found, store
