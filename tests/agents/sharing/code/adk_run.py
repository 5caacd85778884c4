"""Runs with google-adk alone: loads generated files and runs each with a model that gives the recorded answers.

Standard input: one JSON object a line, {"name", "code", "answers": agent → contents}; without answers a file is only loaded.
Standard output: a JSON object a line.
"""

import asyncio
import importlib.util
import json
import sys
import tempfile
import traceback
import warnings
from pathlib import Path

from google.adk.models import BaseLlm, LlmResponse
from google.genai import types

warnings.simplefilter("ignore")


class Recorded(BaseLlm):
    """Answers each agent with its recorded answers in order."""

    answers: dict[str, list[dict]]

    async def generate_content_async(self, llm_request, stream=False):
        left = self.answers[llm_request.config.labels["adk_agent_name"]]
        yield LlmResponse(content=types.Content.model_validate(left.pop(0)))


def loaded(name, code, folder):
    path = Path(folder) / f"{name}.py"
    path.write_text(code, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def give(agent, model):
    if hasattr(agent, "model"):
        agent.model = model
    for tool in getattr(agent, "tools", []):
        if hasattr(tool, "agent"):
            give(tool.agent, model)
    for child in agent.sub_agents:
        give(child, model)


async def texts(module):
    found = []
    async for event in module.run():
        parts = event.content.parts or [] if event.content else []
        if text := "".join(part.text or "" for part in parts if not part.thought):
            found.append([event.author, text])
    return found


with tempfile.TemporaryDirectory() as folder:
    for line in sys.stdin:
        given = json.loads(line)
        said, error = [], ""
        model = Recorded(model="recorded", answers=given.get("answers", {}))
        try:
            module = loaded(f"written_{given['name']}", given["code"], folder)
            if model.answers:
                give(module.root_agent, model)
                said = asyncio.run(texts(module))
        except Exception:
            error = traceback.format_exc()
        left = {agent: len(answers) for agent, answers in model.answers.items() if answers}
        print(json.dumps({"name": given["name"], "texts": said, "left": left, "error": error}), flush=True)
