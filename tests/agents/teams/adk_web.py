"""Runs with google-adk alone: the server of `adk web` lists a folder of packages and runs each with a scripted model.

Input: a JSON object, {"folder", "runs": [{"team", "message", "script": agent → contents}]}. The last line of the output:
{"apps", "runs": [{"texts", "left", "error"}]}.
"""

import json
import sys
import warnings

from fastapi.testclient import TestClient
from google.adk.agents import LlmAgent
from google.adk.cli.fast_api import get_fast_api_app
from google.adk.models import BaseLlm, LLMRegistry, LlmResponse
from google.genai import types

warnings.simplefilter("ignore")
given = json.load(sys.stdin)
script = {}


class Scripted(BaseLlm):
    """Answers each agent with its contents in order."""

    @classmethod
    def supported_models(cls):
        return ["scripted"]

    async def generate_content_async(self, llm_request, stream=False):
        answers = script[llm_request.config.labels["adk_agent_name"]]
        yield LlmResponse(content=types.Content.model_validate(answers.pop(0)))


LLMRegistry.register(Scripted)
LlmAgent.set_default_model("scripted")
client = TestClient(get_fast_api_app(agents_dir=given["folder"], web=True, session_service_uri="memory://"))
apps = client.get("/list-apps").json()


def ran(team, message, answers):
    script.clear()
    script.update(answers)
    client.post(f"/apps/{team}/users/u/sessions/s", json={}).raise_for_status()
    sent = {"role": "user", "parts": [{"text": message}]}
    answer = client.post("/run", json={"appName": team, "userId": "u", "sessionId": "s", "newMessage": sent})
    events = answer.json() if answer.is_success else []
    texts = [
        [event["author"], "".join(part.get("text") or "" for part in (event.get("content") or {}).get("parts") or [])]
        for event in events
    ]
    left = {agent: len(answers) for agent, answers in script.items() if answers}
    return {"texts": [one for one in texts if one[1]], "left": left, "error": "" if answer.is_success else answer.text}


runs = [ran(run["team"], run["message"], run["script"]) for run in given["runs"]]
print(json.dumps({"apps": apps, "runs": runs}))
