"""Tools that Gemini runs itself: sent as such, kept on the event, counted; and what models do that lack them."""

from __future__ import annotations

import pytest
from google.genai import types
from pydantic import SecretStr

from agents import (
    BuiltInCodeExecutor,
    GoogleSearchTool,
    LlmAgent,
    RoutedLlm,
    RunConfig,
    SequentialAgent,
    SqliteSessionService,
    google_search,
    url_context,
)
from agents.errors import ProviderError
from agents.models.gemini.model import Gemini
from agents.models.identity import quoted
from agents.models.scripted import ScriptedLlm
from agents.models.simulated.model import SimulatedLlm
from agents.pipelines.library.stand_in import LibrarySearch
from agents.runtime.run_config import StreamingMode
from tests.agents.stage import play
from tests.standins.gemini import USAGE, Answer, calls, chunk, fails, says

pytestmark = pytest.mark.anyio

GROUNDING = {
    "webSearchQueries": ["tallest lighthouse"],
    "groundingChunks": [{"web": {"uri": "https://example.org/jeddah", "title": "Jeddah Light"}}],
    "groundingSupports": [{"segment": {"endIndex": 5, "text": "Jedda"}, "groundingChunkIndices": [0]}],
}
PAGES = {"urlMetadata": [{"retrievedUrl": "https://example.org/", "urlRetrievalStatus": "URL_RETRIEVAL_STATUS_SUCCESS"}]}
CODE = {"executableCode": {"language": "PYTHON", "code": "print(6 * 7)"}}
RESULT = {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "42\n"}}


@pytest.fixture
async def gemini(gemini_server):
    model = Gemini(api_key=SecretStr("key-that-nobody-may-see"), base_url=gemini_server.url, model="gemini-2.5-flash")
    yield model
    await model.aclose()


@pytest.fixture(params=[StreamingMode.NONE, StreamingMode.SSE], ids=["whole", "streamed"])
def config(request):
    return RunConfig(streaming_mode=request.param)


def wholes(result):
    return [event for event in result.events if not event.partial]


async def test_a_search_is_sent_as_geminis_own_and_its_sources_are_kept(gemini, gemini_server, config, tmp_path):
    usage = {**USAGE, "toolUsePromptTokenCount": 100}
    gemini_server.will(
        Answer((chunk({"text": "Jeddah Light."}), chunk(finish="STOP", usage=usage, groundingMetadata=GROUNDING)))
    )
    service = SqliteSessionService(tmp_path / "s.db")
    agent = LlmAgent(name="Ada", model=gemini, tools=[google_search, url_context])

    result = await play(agent, "Which is the tallest?", config=config, service=service)

    assert gemini_server.received[0].body["tools"] == [{"googleSearch": {}}, {"urlContext": {}}]
    (event,) = wholes(result)
    stored = result.session.events[-1]
    for one in (event, stored):
        assert one.text == "Jeddah Light."
        assert one.grounding_metadata.grounding_chunks[0].web.title == "Jeddah Light"
        assert one.grounding_metadata.web_search_queries == ["tallest lighthouse"]
    (finished,) = result.records("model_finished")
    assert finished["usage"] == {"input": 107, "output": 5}
    assert finished["searches"] == 1
    assert result.records("run_finished")[0]["tokens"] == {"input": 107, "output": 5}


async def test_pages_that_were_read_are_kept(gemini, gemini_server, config, tmp_path):
    gemini_server.will(Answer((chunk({"text": "Read."}), chunk(finish="STOP", usage=True, urlContextMetadata=PAGES))))
    agent = LlmAgent(name="Ada", model=gemini, tools=[url_context])

    result = await play(agent, config=config, service=SqliteSessionService(tmp_path / "s.db"))

    assert result.session.events[-1].url_context_metadata.url_metadata[0].retrieved_url == "https://example.org/"


async def test_code_that_was_run_is_kept_and_shown_to_the_next(gemini, gemini_server, config, tmp_path):
    said = (chunk({"text": "Let me see."}), chunk(CODE, RESULT), chunk({"text": "It is 42."}, finish="STOP", usage=True))
    gemini_server.will(Answer(said), says("Checked."), says("Again."))
    first = LlmAgent(name="Ada", model=gemini, code_executor=BuiltInCodeExecutor(), output_key="answer")
    tree = SequentialAgent(name="Tree", sub_agents=[first, LlmAgent(name="Ben", model=gemini)])
    service = SqliteSessionService(tmp_path / "s.db")

    result = await play(tree, "6 * 7?", config=config, service=service)

    assert gemini_server.received[0].body["tools"] == [{"codeExecution": {}}]
    stored = result.session.events[1]
    assert stored.parts[1].executable_code.code == "print(6 * 7)"
    assert stored.parts[2].code_execution_result.output == "42\n"
    assert result.state["answer"] == "Let me see.It is 42."
    told = [part.get("text") for content in gemini_server.received[1].body["contents"] for part in content["parts"]]
    assert f"[Ada] ran code:\n{quoted('print(6 * 7)')}" in told
    assert "[Ada] its code printed:\n" + quoted("42\n") in told

    gemini_server.will(says("Again."), says("Fine."))
    await play(tree, "And now?", config=config, service=service)

    again = gemini_server.received[2].body["contents"]
    assert [part for content in again for part in content["parts"] if "executableCode" in part]


async def test_what_gemini_refuses_is_told(gemini, gemini_server, config):
    message = "Tool use with function calling is unsupported"
    gemini_server.will(fails(400, "INVALID_ARGUMENT", message))
    agent = LlmAgent(name="Ada", model=gemini, tools=[google_search, look])

    result = await play(agent, config=config)

    assert isinstance(result.error, ProviderError)
    assert message in result.events[-1].error_message
    assert "AgentTool" in result.events[-1].error_message


def look(place: str) -> str:
    """Looks."""
    return place


SIMULATED = SimulatedLlm(simulation={"Ada": lambda _: "It did not search."}, words_per_second=0)


class Plain(ScriptedLlm):
    """A model without tools of its own."""

    def lacking(self, llm_request):
        return super(ScriptedLlm, self).lacking(llm_request)


@pytest.mark.parametrize("model", [SIMULATED, Plain(script=["No."], model="llama/qwen")], ids=["simulated", "other"])
async def test_a_model_without_the_tool_says_so(model):
    agent = LlmAgent(name="Ada", model=model, tools=[google_search], code_executor=BuiltInCodeExecutor())

    result = await play(agent)

    assert isinstance(result.error, ProviderError)
    (event,) = result.events
    assert event.error_code == "TOOL_NOT_SUPPORTED"
    assert event.error_message == (
        f"The model {model.model!r} does not have google_search and code_execution, which Gemini runs itself. Choose a "
        "Gemini model for the agent 'Ada', or give the agent a function of its own instead."
    )


async def test_a_search_beside_other_tools_may_be_an_agent_of_its_own(gemini, gemini_server):
    sources = Answer((chunk({"text": "Jeddah."}), chunk(finish="STOP", usage=True, groundingMetadata=GROUNDING)))
    gemini_server.will(calls(("google_search_agent", {"request": "tallest"})), sources, says("It is Jeddah."))
    agent = LlmAgent(name="Ada", model=gemini, tools=[GoogleSearchTool(bypass_multi_tools_limit=True), look])

    result = await play(agent)

    assert result.events[-1].text == "It is Jeddah."
    names = [[d["name"] for t in r.body["tools"] for d in t.get("functionDeclarations", [])] for r in gemini_server.received]
    assert names == [["google_search_agent", "look"], [], ["google_search_agent", "look"]]
    assert gemini_server.received[1].body["tools"] == [{"googleSearch": {}}]
    inner = next(event for event in result.session.events if event.author == "google_search_agent")
    assert inner.grounding_metadata.grounding_chunks[0].web.uri == "https://example.org/jeddah"


async def test_a_model_of_ones_own_that_is_called_gemini_is_sent_the_tool():
    model = Plain(script=["Yes."], model="gemini-2.5-pro")

    result = await play(LlmAgent(name="Ada", model=model, tools=[google_search]))

    assert result.events[-1].text == "Yes."
    assert model.requests[0].config.tools == [types.Tool(google_search=types.GoogleSearch())]


async def test_a_router_goes_on_to_a_model_that_has_the_tool():
    models = [SIMULATED, ScriptedLlm(script=["Found."], model="real")]
    routed = RoutedLlm(
        models=models, router=lambda models, request, error_context=None: "real" if error_context else "simulated"
    )

    result = await play(LlmAgent(name="Ada", model=routed, tools=[google_search]))

    assert result.events[-1].text == "Found."


async def test_a_simulation_may_search_the_library_instead_and_says_that_it_did():
    model = SimulatedLlm(simulation={"Ada": LibrarySearch()}, words_per_second=0)

    result = await play(LlmAgent(name="Ada", model=model, tools=[google_search]), "When was the Suez Canal opened?")
    nothing = await play(LlmAgent(name="Ada", model=model, tools=[google_search]), "Zzyzx qwrt?", session_id="t")
    other = await play(LlmAgent(name="Ada", model=model, tools=[url_context]), "Read it.", session_id="u")

    assert result.events[-1].text.startswith("(Simulated: the built-in library was searched, not the web.)\n- ")
    assert "[suez-canal]" in result.events[-1].text
    assert result.events[-1].custom_metadata == {"simulated": True}
    assert "No article is about: Zzyzx" in nothing.events[-1].text
    assert other.events[-1].error_code == "TOOL_NOT_SUPPORTED"
