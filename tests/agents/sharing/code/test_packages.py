"""Packages of a user's own as code: what is imported, what is taken in, and what cannot be written."""

from __future__ import annotations

import ast
import os
import subprocess
import sys

import pytest

from agents.pipelines import Catalog
from agents.runs import RunManager
from agents.sharing import session_code
from agents.sharing.code.adk_code import adk_code
from agents.sharing.code.playground_code import playground_code
from agents.sharing.code.python.code_file import CannotWriteError
from agents.sharing.code.recorded_session import RecordedSession
from tests.agents.sharing.code.packages import CLOSURES, SHOP, written
from tests.agents.sharing.code.stage import loaded, run, run_again, stored, texts_of

NOTHING = RecordedSession("s")


def code_of(folder, name, files, message="cake"):
    written(folder, name, files)
    with RunManager(database=None, agents_dir=folder) as manager:
        manager.models.change(simulated_speed=0)
        session = run(manager, name, message)
        return session_code(manager, name, session), texts_of(stored(manager, name, session), inner=False)


def test_a_package_is_imported_and_gives_the_same_texts(folder, tmp_path):
    code, said = code_of(folder, "code_shop", SHOP)
    assert "from code_shop.agent import Counter, Order, begin, buy, look" in code.playground
    assert 'partial(look, "here")' in code.playground
    assert "types.GenerateContentConfig(temperature=0.5, max_output_tokens=100)" in code.playground
    assert "copy of the package's own" not in code.playground
    assert texts_of(run_again(loaded(code.playground, tmp_path))) == said
    assert ("One", "count 3 of 3") in said


def test_for_adk_its_source_is_taken_in_with_values_of_files_and_names_that_do_not_clash(folder, tmp_path):
    code, _ = code_of(folder, "code_shop", SHOP)
    assert code.adk_lacks == ()
    tree = ast.parse(code.adk)
    modules = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert not [module for module in modules if module.startswith(("agents", "code_shop"))]
    space: dict[str, object] = {}
    own = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.Assign | ast.Import)]
    kept = [one for one in own if not isinstance(one, ast.Assign) or ast.unparse(one).startswith(("_", "PRICES", "LIMIT"))]
    header = "from __future__ import annotations\n"
    exec(header + "\n".join(map(ast.unparse, kept)), space)  # the tools alone, which need no google-adk
    context = type("Context", (), {"state": {}})()
    assert space["buy"]("cake", context) == {"item": "cake", "total": 100, "names": ["bread", "cake"], "half": 50.0}
    assert context.state == {"paid": 100}
    assert "    # _LIMIT is the module's" not in code.adk, "a statement with other names is written anew"


def test_what_cannot_be_written_is_a_copy_of_the_package_s_own(folder, tmp_path):
    code, said = code_of(folder, "code_odd", CLOSURES)
    for agent, why in (("SaysHi", "a constructor of its own"), ("Adder", "adder.<locals>.add"), ("Teller", "<lambda>")):
        [line] = [" ".join(one.split()) for one in code.playground.split("# ") if one.startswith(agent)]
        assert line.startswith(f"{agent} is a copy of the package's own agent")
        assert why in code.playground
    module = loaded(code.playground, tmp_path)
    assert texts_of(run_again(module)) == said
    assert [agent.parent_agent for agent in module.root_agent.sub_agents] == [module.root_agent] * 3
    assert module.pipeline.find_agent("Adder").parent_agent is module.pipeline


def test_adk_says_of_each_agent_what_it_lacks(folder):
    code, _ = code_of(folder, "code_odd", CLOSURES)
    assert code.adk == ""
    assert [sentence.partition(":")[0] for sentence in code.adk_lacks] == ["SaysHi", "Adder", "Teller"]


def test_an_agent_that_two_call_as_a_tool_is_written_once(folder):
    head = "from agents import AgentTool, LlmAgent\nlast = LlmAgent(name='Last')\n"
    both = "a = LlmAgent(name='A', tools=[AgentTool(last)])\n"
    twice = f"{head}{both}root_agent = LlmAgent(name='Top', tools=[AgentTool(a), AgentTool(last)])\n"
    written(folder, "code_twice", {"agent.py": twice})
    assert playground_code(Catalog(folder).get("code_twice"), NOTHING).count("last = LlmAgent(") == 1


def test_a_root_that_cannot_be_written_is_imported_whole(folder, tmp_path):
    text = "from agents import LlmAgent\nroot_agent = LlmAgent(name='Top', tools=[lambda x: x])\n"
    code, said = code_of(folder, "code_top", {"agent.py": text})
    assert "from code_top.agent import root_agent" in code.playground
    assert texts_of(run_again(loaded(code.playground, tmp_path))) == said


def test_a_package_that_imports_google_adk_runs_outside_of_the_playground(folder, tmp_path):
    shared = "import google.adk\nfrom google.adk.tools.tool_context import ToolContext\n"
    roll = "def roll(sides: int, tool_context: ToolContext) -> int:\n    'Rolls.'\n    return 4\n"
    written(folder, "code_dice", {"rolling.py": shared + roll})
    agent = (
        "from google.adk.agents import LlmAgent\nfrom code_dice.rolling import roll\n"
        "root_agent = LlmAgent(name='Roller', tools=[roll])\nSIMULATION = {'Roller': lambda request: 'Rolled: 四.'}\n"
    )
    code, said = code_of(folder, "code_adk", {"agent.py": agent})
    assert said == [("Roller", "Rolled: 四.")]
    assert 'import_live_package("code_adk")' in code.playground
    file = tmp_path / "again.py"
    file.write_text(code.playground, encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": str(folder), "PYTHONIOENCODING": "utf-8"}
    ran = subprocess.run([sys.executable, file], env=environment, capture_output=True, encoding="utf-8", check=False)
    assert (ran.stdout, ran.stderr) == ("Roller: Rolled: 四.\n", "")
    environment["PYTHONPATH"] = str(tmp_path)
    ran = subprocess.run([sys.executable, file], env=environment, capture_output=True, encoding="utf-8", check=False)
    assert "Put the folder that it is in on PYTHONPATH." in ran.stderr


def test_the_plugins_of_an_app_run_again(folder, tmp_path):
    agent = (
        "from google.genai import types\nfrom google.adk.agents import Agent\nfrom google.adk.apps import App\n"
        "from google.adk.plugins import BasePlugin\nclass Greets(BasePlugin):\n"
        "    async def before_agent_callback(self, *, agent, callback_context):\n"
        "        return types.ModelContent('Hello from the plugin.')\n"
        "root_agent = Agent(name='Greeter')\n"
        "from google.adk.apps.app import EventsCompactionConfig\n"
        "often = EventsCompactionConfig(compaction_interval=1, overlap_size=0)\n"
        "app = App(name='code_app', root_agent=root_agent, plugins=[Greets('greets')], events_compaction_config=often)\n"
    )
    code, said = code_of(folder, "code_app", {"agent.py": agent})
    assert said == [("Greeter", "Hello from the plugin.")]
    assert texts_of(run_again(loaded(code.playground, tmp_path))) == said
    assert "# The plugins of its App are not in here: greets." in code.adk
    assert "# The events_compaction_config of its App is not in here: no event is summed up." in code.adk


def test_a_package_whose_agents_have_no_name_says_what_to_write(folder):
    agent = "from agents import App, LlmAgent\napp = App(name='code_unnamed', root_agent=LlmAgent(name='Top'))\n"
    written(folder, "code_unnamed", {"agent.py": agent})
    written(folder, "code_yaml", {"root_agent.yaml": "name: Top\ninstruction: Help.\n"})
    for name in ("code_unnamed", "code_yaml"):
        with pytest.raises(CannotWriteError, match=f"No Python module of {name} has its agents as `root_agent`"):
            playground_code(Catalog(folder).get(name), NOTHING)


def test_a_package_with_the_name_of_another_module_has_no_code(folder):
    written(folder, "json", {"agent.py": "from agents import LlmAgent\nroot_agent = LlmAgent(name='Top')\n"})
    pipeline = Catalog(folder).get("json")
    for write in (playground_code, adk_code):
        with pytest.raises(CannotWriteError, match="has the name of another module"):
            write(pipeline, NOTHING)


@pytest.mark.parametrize("name", ["作家", "print", "lambda_", "import_", "ﬁne", "run", "STATE", "types"])
def test_any_name_of_an_agent_is_a_variable(folder, tmp_path, name):
    top = f"root_agent = SequentialAgent(name='T', sub_agents=[LlmAgent(name={name!r})])"
    agent = f"from agents import LlmAgent, SequentialAgent\n{top}\n"
    written(folder, "code_names", {"agent.py": agent})
    text = playground_code(Catalog(folder).get("code_names"), NOTHING)
    module = loaded(text, tmp_path)
    assert module.root_agent.sub_agents[0].name == name
    assert run_again(module) == []


def test_the_source_that_was_loaded_is_written_even_if_its_file_is_gone(folder):
    written(
        folder,
        "code_gone",
        {"agent.py": "from agents import LlmAgent\ndef f(x: int): ...\nroot_agent = LlmAgent(name='T', tools=[f])\n"},
    )
    pipeline = Catalog(folder).get("code_gone")
    (folder / "code_gone" / "agent.py").unlink()
    assert "from code_gone.agent import f" in playground_code(pipeline, NOTHING)
    text, lacks = adk_code(pipeline, NOTHING)
    assert "def f(x: int)" in text
    assert not any("cannot be read" in lack for lack in lacks)


def test_secrets_of_an_object_are_not_written(folder):
    text = (
        "from pydantic import BaseModel\nfrom agents import LlmAgent\nclass Box(BaseModel):\n    api_key: str = ''\n"
        "class Mine(LlmAgent):\n    box: Box = Box()\nroot_agent = Mine(name='T', box=Box(api_key='hidden-1234'))\n"
    )
    written(folder, "code_secret", {"agent.py": text})
    written_text = playground_code(Catalog(folder).get("code_secret"), NOTHING)
    assert "hidden-1234" not in written_text
    assert "secrets are not written" in written_text


def test_code_with_what_looks_like_a_key_is_not_written_where_it_would_be_broken(folder):
    text = (
        "import os\nfrom agents import LlmAgent\n"
        "def connect(api_key: str): ...\n"
        "def ask(x: int) -> str:\n    'Asks.'\n    connect(api_key=os.environ['SOME_NAME'])\n    return ''\n"
        "root_agent = LlmAgent(name='T', tools=[ask], instruction='GET https://x.test/?key=abcdefgh')\n"
    )
    code, _ = code_of(folder, "code_key", {"agent.py": text}, "go")
    assert "abcdefgh" not in code.playground
    assert "?key=[key]" in code.playground
    assert code.adk == ""
    assert "looks like a key" in code.adk_lacks[0]
