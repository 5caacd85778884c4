"""Runs with google-adk alone: the server of `adk web` lists a folder of teams and runs one with a scripted model.

Input: a JSON object, {"folder", "team", "message", "script": agent → contents}. The last line of the output: another.
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
script = given["script"]


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
place = f"/apps/{given['team']}/users/u/sessions/s"
apps = client.get("/list-apps").json()
client.post(place, json={}).raise_for_status()
message = {"role": "user", "parts": [{"text": given["message"]}]}
about = {"appName": given["team"], "userId": "u", "sessionId": "s", "newMessage": message}
ran = client.post("/run", json=about)
events = ran.json() if ran.is_success else []
texts = [
    [event["author"], "".join(part.get("text") or "" for part in (event.get("content") or {}).get("parts") or [])]
    for event in events
]
left = {agent: len(answers) for agent, answers in script.items() if answers}
error = "" if ran.is_success else ran.text
print(json.dumps({"apps": apps, "texts": [one for one in texts if one[1]], "left": left, "error": error}))
