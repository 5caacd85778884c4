"""Packages written for google-adk are loaded with their imports as they are."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

import agents
import agents.workflow
from agents import ConnectionInputError, DatabaseError, Gemini, Llama, LlmAgent, LoopAgent, SqliteSessionService
from agents.adk import names, replaced
from agents.agent import BaseAgent
from agents.models.scripted import ScriptedLlm
from agents.pipelines import Catalog
from tests.agents.stage import instruction_in, user

OfPackage = Callable[..., Catalog]


@pytest.fixture
def catalog(tmp_path: Path) -> OfPackage:
    """Writes a package `own` of the given modules."""

    def load(**modules: str) -> Catalog:
        folder = tmp_path / "agents_of_adk" / "own"
        folder.mkdir(parents=True)
        for name, text in modules.items():
            (folder / f"{name}.py").write_text(textwrap.dedent(text), encoding="utf-8")
        return Catalog(folder.parent)

    return load


def root_of(catalog: Catalog) -> BaseAgent:
    assert not catalog.broken, catalog.broken["own"].text
    return catalog.get("own").root_agent


@pytest.mark.parametrize(
    ("imports", "agent"),
    [
        ("from google.adk import Agent", "Agent"),
        ("from google.adk.agents import LlmAgent as Writer", "Writer"),
        ("from google.adk.agents.llm_agent import Agent", "Agent"),
        ("from google.adk.agents import llm_agent", "llm_agent.LlmAgent"),
        ("import google.adk.agents as of_adk", "of_adk.LlmAgent"),
        ("import google.adk.agents", "google.adk.agents.LlmAgent"),
        ("import google.adk", "google.adk.Agent"),
        ("from google import adk, genai", "adk.agents.LlmAgent"),
        ("import os, google.adk.agents.llm_agent", "google.adk.agents.llm_agent.Agent"),
        ("if True:\n    from google.adk.agents import (\n        LlmAgent,  # the writer\n    )", "LlmAgent"),
        ("try:\n    from google.adk.agents import Agent\nexcept ImportError:\n    Agent = None", "Agent"),
    ],
)
def test_each_form_of_import_gives_the_runtimes_own(catalog: OfPackage, imports: str, agent: str):
    found = root_of(catalog(agent=f"{imports}\nroot_agent = {agent}(name='writer')\n"))
    assert type(found) is LlmAgent


@pytest.mark.anyio
async def test_an_instruction_that_a_function_makes_is_filled_from_state(catalog: OfPackage):
    found = catalog(
        agent="""
            from google.adk.agents import Agent, LlmAgent
            from google.adk.agents.invocation_context import LlmCallsLimitExceededError
            from google.adk.agents.llm_agent import InstructionProvider
            from google.adk.errors.already_exists_error import AlreadyExistsError
            from google.adk.tools.base_toolset import ToolPredicate
            from google.adk.utils import instructions_utils
            caught = (AlreadyExistsError, LlmCallsLimitExceededError, InstructionProvider, ToolPredicate)
            async def told(context):
                return await instructions_utils.inject_session_state("Write about {topic}, {style?} in {app:語}.", context)
            root_agent = Agent(name="writer", instruction=told)
        """
    )
    model = ScriptedLlm(script=["Done."])
    runner = agents.InMemoryRunner(root_of(found), app_name="play")
    state = {"topic": "海 {x}", "app:語": "日本語"}
    await runner.session_service.create_session(app_name="play", user_id="u", session_id="s", state=state)
    given = {"user_id": "u", "session_id": "s", "new_message": user("go"), "run_config": agents.RunConfig(model=model)}
    assert [event.text async for event in runner.run_async(**given)] == ["Done."]
    assert instruction_in(model.requests[0]).endswith("Write about 海 {x},  in 日本語.")


def test_imports_of_all_modules_and_within_functions(catalog: OfPackage):
    found = catalog(
        agent="""
            from google.genai import types
            from .parts import critic
            def root():
                import google.adk.agents
                from google.adk.tools.exit_loop_tool import exit_loop
                return google.adk.agents.LoopAgent(name="loop", sub_agents=[critic(exit_loop)])
            root_agent = root()
        """,
        parts="""
            from google.adk.agents import Agent
            from google.adk.agents.callback_context import CallbackContext
            def watch(callback_context: CallbackContext): ...
            def critic(tool):
                return Agent(name="critic", tools=[tool], before_agent_callback=watch)
        """,
    )
    root = root_of(found)
    assert isinstance(root, LoopAgent)
    assert isinstance(critic := root.sub_agents[0], LlmAgent)
    assert critic.tools == [agents.exit_loop]


def test_a_graph_is_that_of_the_runtime(catalog: OfPackage):
    found = catalog(
        agent="""
            from google.adk import Agent, Workflow
            from google.adk.events.request_input import RequestInput
            from google.adk.workflow import DEFAULT_ROUTE, START, JoinNode, RetryConfig, node
            @node(retry_config=RetryConfig(max_attempts=2))
            def begin(node_input: str):
                return node_input
            def ask(node_input: dict):
                return RequestInput(message="Which?")
            both = JoinNode(name="both")
            root_agent = Workflow(name="graph", edges=[(START, begin, both, {DEFAULT_ROUTE: ask})])
        """
    )
    assert isinstance(root_of(found), agents.Workflow)


def test_an_error_is_at_the_line_where_it_is(catalog: OfPackage):
    found = catalog(agent="from google.adk.agents import (\n    Agent,\n)\nimport google.adk.tools\nraise ValueError('x')\n")
    assert "(agent.py, line 5)" in found.broken["own"].reason
    assert "raise ValueError('x')" in found.broken["own"].text


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "from google.adk.tools.langchain_tool import LangchainTool as M; M()",
            "google.adk.tools.langchain_tool.LangchainTool is not here: tools",
        ),
        (
            "from google.adk.agents import Frobnicator; Frobnicator()",
            "google.adk.agents.Frobnicator is not here: this runtime",
        ),
        ("import google.adk.agents; google.adk.agents.Frobnicator()", "google.adk.agents.Frobnicator is not here"),
        (
            "from google.adk.tools import load_web_page as g; print(g)",
            "google.adk.tools.load_web_page is not",
        ),
    ],
)
def test_a_name_that_is_not_here_says_so_and_where(catalog: OfPackage, line: str, said: str):
    reason = catalog(agent=f"import os\n{line}\n").broken["own"].reason
    assert said in reason
    assert reason.endswith("(agent.py, line 2)")


def test_a_name_that_only_annotations_need_does_not_matter(catalog: OfPackage):
    found = catalog(
        agent="""
            from google.adk.agents import Agent, LiveRequestQueue
            from google.adk.auth import AuthConfig as Config
            from google.adk.tools import LangchainTool
            async def listen(queue: LiveRequestQueue | None, configs: list[Config[str]] = ()) -> "LiveRequestQueue":
                kept: LiveRequestQueue = queue
                return kept
            root_agent = Agent(name="writer")
        """,
        more="from .agent import LangchainTool\ntools = LangchainTool(tool=1)\n",
    )
    root_of(found)
    with pytest.raises(ImportError, match=r"google\.adk\.tools\.LangchainTool is not here"):
        __import__("own.more")


def test_a_name_that_only_a_function_uses_is_missed_when_it_is_called(catalog: OfPackage):
    found = catalog(
        agent="""
            from google.adk.agents import Agent, LiveRequestQueue
            from google.adk.evaluation import AgentEvaluator
            def live(): return LiveRequestQueue()
            checks = lambda: AgentEvaluator.evaluate("here")
            root_agent = Agent(name="writer", tools=[live])
            try:
                from google.adk.tools import LangchainTool
            except ImportError:
                LangchainTool = None
            def tools(): return LangchainTool
        """,
    )
    root_of(found)
    module = __import__("own.agent").agent
    assert module.LangchainTool is None
    for use, name in ((module.live, "agents.LiveRequestQueue"), (module.checks, "evaluation.AgentEvaluator")):
        with pytest.raises(ImportError, match=rf"google\.adk\.{name} is not here"):
            use()


def test_a_google_adk_that_is_installed_stays_what_it_is(
    catalog: OfPackage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    import google

    installed = tmp_path / "installed" / "google"
    (installed / "adk").mkdir(parents=True)
    (installed / "adk" / "__init__.py").write_text("Agent = 'that of google-adk'\n")
    (installed.parent / "uses_adk.py").write_text("from google.adk import Agent\n")
    monkeypatch.setattr(google, "__path__", [*google.__path__, str(installed)])
    monkeypatch.syspath_prepend(installed.parent)

    root = root_of(
        catalog(agent="from uses_adk import Agent as A\nfrom google.adk import Agent\nroot_agent = Agent(name='w')")
    )

    import uses_adk  # pyright: ignore[reportMissingImports]

    assert type(root) is LlmAgent
    assert uses_adk.Agent == "that of google-adk"
    for name in ("uses_adk", "google.adk"):
        sys.modules.pop(name, None)


def test_deep_expressions_are_no_matter(catalog: OfPackage):
    deep = "+".join(["1"] * 800)
    root_of(catalog(agent=f"from google.adk import Agent\nx = {deep}\nroot_agent = Agent(name='writer')\n"))


def test_every_public_name_is_found_below_google_adk():
    assert all(names.is_here("any.module", name) for name in (*agents.__all__, *agents.workflow.__all__))
    assert names.value_of("agents", "LlmAgent") is LlmAgent


def test_a_missing_name_is_never_one_that_is_here():
    assert not [name for name in names.missing() if name in (*agents.__all__, *agents.workflow.__all__)]


@pytest.mark.parametrize("url", ["sqlite:///{}", "sqlite+aiosqlite:///{}", "sqlite:///{}?timeout=3"])
def test_sessions_in_a_database_are_those_of_sqlite(tmp_path: Path, url: str):
    service = replaced.DatabaseSessionService(url.format(tmp_path / "of_adk.db"))
    assert isinstance(service, SqliteSessionService)
    assert service.path == tmp_path / "of_adk.db"


@pytest.mark.parametrize("url", ["postgresql+asyncpg://me:secret@host/db", "sqlite://", ""])
def test_other_databases_are_refused_without_the_password(url: str):
    with pytest.raises(DatabaseError, match="Sessions are kept in SQLite files") as raised:
        replaced.DatabaseSessionService(url)
    assert "secret" not in str(raised.value)


def test_lite_llm_names_the_providers_that_are_here(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENAI_API_KEY", "of-openai")
    asked = replaced.LiteLlm(model="openai/gpt-5")
    assert isinstance(asked, Llama)
    assert (asked.model, asked.base_url) == ("llama/gpt-5", "https://api.openai.com/v1")
    assert asked.api_key is not None
    assert asked.api_key.get_secret_value() == "of-openai"
    assert isinstance(replaced.LiteLlm("gemini/gemini-3-flash"), Gemini)
    assert replaced.LiteLlm("ollama_chat/qwen3").model == "ollama/qwen3"


def test_a_key_of_a_provider_goes_to_no_other_server(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENAI_API_KEY", "of-openai")
    elsewhere = replaced.LiteLlm("openai/any", api_base="http://localhost:8000/v1")
    assert isinstance(elsewhere, Llama)
    assert elsewhere.api_key is None
    with pytest.raises(ConnectionInputError, match=r"LiteLlm\(None\) names no model.*environment"):
        replaced.LiteLlm(cast("str", None))
    with pytest.raises(ConnectionInputError, match="the server of watsonx is not known"):
        replaced.LiteLlm("watsonx/granite")


def test_a_team_in_yaml_is_made_by_from_config(catalog: OfPackage, tmp_path: Path):
    catalog(
        agent="""
            import os
            from google.adk.agents import config_agent_utils
            root_agent = config_agent_utils.from_config(os.path.join(os.path.dirname(__file__), "root_agent.yaml"))
        """,
        tools="def roll(sides: int) -> int:\n    'Rolls.'\n    return sides\n",
    )
    folder = tmp_path / "agents_of_adk"
    (folder / "own" / "root_agent.yaml").write_text("name: roller\ninstruction: Roll.\ntools: [{name: own.tools.roll}]\n")
    root = root_of(Catalog(folder))
    assert isinstance(root, LlmAgent)
    assert [tool.__name__ for tool in root.tools if callable(tool)] == ["roll"]


def test_models_of_other_providers_are_asked_by_those_that_are_here(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "of-anthropic")
    asked = replaced.Claude(model="claude-3-7-sonnet@20250219")
    assert isinstance(asked, Llama)
    assert (asked.model, asked.base_url) == ("llama/claude-3-7-sonnet@20250219", "https://api.anthropic.com/v1")
    assert replaced.Gemma3Ollama(model="ollama/gemma3:4b").model == "ollama/gemma3:4b"
    agents.LLMRegistry.register(cast("Any", replaced.Claude))
    assert agents.LLMRegistry.new_llm("claude-sonnet-4-5").model == "llama/claude-sonnet-4-5"


@pytest.mark.anyio
async def test_searches_of_googles_cloud_are_asked_for(catalog: OfPackage):
    found = catalog(
        agent="""
            from google.adk.agents import Agent
            from google.adk.tools import VertexAiSearchTool, enterprise_web_search, google_maps_grounding
            from google.adk.tools.retrieval.vertex_ai_rag_retrieval import VertexAiRagRetrieval
            class Rag:
                rag_corpus, rag_file_ids = "corpus", None
            class Mine(VertexAiSearchTool):
                def _build_vertex_ai_search_config(self, ctx):
                    found = super()._build_vertex_ai_search_config(ctx)
                    return found.model_copy(update={"filter": ctx.state["kind"]})
            root_agent = Agent(name="writer", tools=[
                Mine(data_store_id="store"),
                VertexAiRagRetrieval(name="rag", description="Docs.", rag_resources=[Rag(), {"rag_corpus": "more"}]),
                enterprise_web_search,
                google_maps_grounding,
            ])
        """
    )
    model = ScriptedLlm(script=["Done."], model="gemini-scripted")
    runner = agents.InMemoryRunner(root_of(found), app_name="play")
    await runner.session_service.create_session(app_name="play", user_id="u", session_id="s", state={"kind": "letters"})
    given = {"user_id": "u", "session_id": "s", "new_message": user("go"), "run_config": agents.RunConfig(model=model)}
    assert [event.text async for event in runner.run_async(**given)] == ["Done."]
    listed: list[Any] = list(model.requests[0].config.tools or [])
    asked = [tool.model_dump(exclude_none=True) for tool in listed]
    assert asked == [
        {"retrieval": {"vertex_ai_search": {"datastore": "store", "filter": "letters"}}},
        {"retrieval": {"vertex_rag_store": {"rag_resources": [{"rag_corpus": "corpus"}, {"rag_corpus": "more"}]}}},
        {"enterprise_web_search": {}},
        {"google_maps": {}},
    ]
    with pytest.raises(ValueError, match="either data_store_id or search_engine_id"):
        names.value_of("tools", "VertexAiSearchTool")()
