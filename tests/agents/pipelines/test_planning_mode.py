from __future__ import annotations

from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.pipelines.planning_mode.agent import FIRST_FILES, by_mode
from agents.pipelines.planning_mode.card import card
from agents.pipelines.planning_mode.lists import Step, changed, read_plan
from agents.pipelines.planning_mode.simulation import keep_lists
from agents.runtime.fault import Fault
from tests.agents.pipelines.rehearsal import Rehearsal, rehearse_async
from tests.agents.pipelines.visit import Visit, routes

TEA = card.samples[0]
LOOKS = {"list_files", "read_file"}
PATHS = ["packing.md", "shopping.md", "todo.md"]
BREAKS = {one.title: one for one in card.breaks}
PLANNING = {"planning": True}

pytestmark = pytest.mark.anyio


def calls(run) -> list[str]:
    return [call.name for event in run.events for call in event.get_function_calls()]


def last_said(run: Rehearsal, author: str) -> str:
    return run.texts(author)[-1]


async def test_planning_is_off_until_it_is_turned_on():
    visit = Visit("planning_mode")

    done = await visit.say(TEA)
    planned = await visit.say("Remove bread from the shopping list", planning=True)

    assert routes(planned) == [
        ("do", "Planning mode is off."),
        ("plan", "Planning mode is on: look, and change nothing."),
    ]
    assert "write_file" in calls(done)
    assert "write_file" not in calls(planned)
    assert by_mode({}, SimpleNamespace(session=SimpleNamespace(state={}))).key == "do", "a session that no control set up"


@pytest.mark.parametrize("sample", card.samples)
async def test_a_plan_is_made_by_looking_alone(sample):
    run = await rehearse_async("planning_mode", sample, state=PLANNING)

    (decided,) = run.of_kind("route_decided")
    assert (decided["key"], decided["reason"]) == ("plan", "Planning mode is on: look, and change nothing.")
    assert set(calls(run)) <= LOOKS
    assert {tuple(record["tools"]) for record in run.of_kind("model_started")} == {("list_files", "read_file")}
    assert run.state["plan"] == last_said(run, "Planner")


async def test_the_plan_names_each_step():
    run = await rehearse_async("planning_mode", TEA, state=PLANNING)

    assert last_said(run, "Planner").splitlines() == [
        "1. Add “tea” to shopping.md.",
        "2. Add “honey” to shopping.md.",
        "3. Remove “milk” from shopping.md.",
        "Nothing is changed yet: switch planning mode off and tell me to go ahead.",
    ]


async def test_with_the_switch_off_the_doer_reads_and_writes_at_once():
    run = await rehearse_async("planning_mode", TEA, state={"planning": False})

    assert [record["key"] for record in run.of_kind("route_decided")] == ["do"]
    assert calls(run) == ["list_files", "read_file", "write_file"]
    (call,) = [call for event in run.events for call in event.get_function_calls() if call.name == "write_file"]
    assert call.args == {"path": "shopping.md", "text": "# Shopping\n\n- bread\n- apples\n- tea\n- honey\n"}
    assert last_said(run, "Doer").startswith("Done:\n- Add “tea” to shopping.md.")


async def test_the_switch_changes_which_tools_are_called_and_the_doer_carries_the_plan_out():
    visit = Visit("planning_mode")

    planned = await visit.say(TEA, planning=True)
    before = await visit.say("What is on the shopping list?", planning=False)
    done = await visit.say("Yes, go ahead", plan=planned.state["plan"])
    after = await visit.say("What is on the shopping list?", planning=True)

    assert [key for key, _ in routes(after)] == ["plan", "do", "do", "plan"]
    assert set(calls(planned)) == LOOKS
    assert before.texts[-1] == ("Doer", "shopping.md:\n# Shopping\n\n- bread\n- milk\n- apples")
    assert calls(done) == ["list_files", "read_file", "write_file"]
    assert after.texts[-1] == ("Planner", "shopping.md:\n# Shopping\n\n- bread\n- apples\n- tea\n- honey")


async def test_going_ahead_twice_changes_nothing_more():
    visit = Visit("planning_mode")
    await visit.say(TEA, planning=True)
    await visit.say("do it", planning=False)

    again = await visit.say("do it")

    assert "write_file" not in calls(again)
    assert again.texts[-1][1].startswith("There was nothing to do.\nNot needed: “tea” is in shopping.md already.")


async def test_the_planner_is_told_to_go_ahead_in_vain():
    visit = Visit("planning_mode")
    await visit.say(TEA, planning=True)

    run = await visit.say("go ahead")

    assert run.texts[-1] == ("Planner", "I can only plan here. Switch planning mode off and say it again.")


async def test_turning_the_switch_in_the_middle_of_a_run_waits_for_the_next_message():
    visit = Visit("planning_mode")
    await visit.say("hello", planning=True)

    called = []
    async for event in visit.watch(TEA):
        called += [call.name for call in event.get_function_calls()]
        if event.get_function_responses():
            await visit.turn(planning=False)
    after = await visit.say(TEA)

    assert set(called) == LOOKS
    assert after.state["planning"] is False
    assert "write_file" in calls(after)


async def test_words_do_not_give_the_planner_a_tool():
    broken = BREAKS["Tell the planner to write"]
    run = await rehearse_async("planning_mode", broken.message, state=dict(broken.settings))

    assert set(calls(run)) <= LOOKS
    assert last_said(run, "Planner").startswith("1. Add “gold” to shopping.md.\nNothing is changed yet")


async def test_a_tool_that_the_planner_does_not_have_is_answered_with_those_it_has():
    broken = BREAKS["The planner calls a tool that it does not have"]

    run = await rehearse_async("planning_mode", TEA, faults=broken.faults, state=dict(broken.settings))

    assert calls(run) == ["no_such_tool", "list_files", "read_file"]
    assert "The tools are: list_files, read_file." in run.results("no_such_tool")[0].response["error"]
    assert last_said(run, "Planner").startswith("1. Add “tea” to shopping.md.")


async def test_a_doer_that_fails_is_not_replaced_and_has_written_nothing():
    visit = Visit("planning_mode")

    failed = await visit.say(TEA, planning=False, faults=BREAKS["The doer's model fails before it writes"].faults)
    after = await visit.say("What is on the shopping list?")

    assert calls(failed) == ["list_files", "read_file"]
    assert failed.events[-1].error_code == "INJECTED_FAULT"
    assert [key for key, _ in routes(failed)] == ["do"]
    assert "milk" in after.texts[-1][1]


async def test_a_doer_that_fails_at_once_is_not_replaced_by_the_planner():
    run = await rehearse_async(
        "planning_mode", TEA, faults=[Fault(kind="fail_before", target="Doer")], state={"planning": False}
    )

    assert [record["key"] for record in run.of_kind("route_decided")] == ["do", "do"]
    assert [event.author for event in run.events] == ["Doer"]


async def test_the_files_that_come_with_it_stay_as_they_are():
    before = {path.name: path.read_text() for path in FIRST_FILES.iterdir()}

    await rehearse_async("planning_mode", TEA, state={"planning": False})

    assert {path.name: path.read_text() for path in FIRST_FILES.iterdir()} == before
    assert sorted(before) == PATHS


@pytest.mark.parametrize(
    ("asked", "plan", "go", "done", "seen"),
    [
        (
            "買い物リストに茶を追加して",
            "まだ何も変更していません。",
            "実行してください",
            "完了しました：",
            "買い物リストを見せて",
        ),
        ("把茶加到购物清单", "还没有改动任何内容", "执行吧", "已完成：", "购物清单里有什么？"),
        ("把茶加到購物清單", "還沒有改動任何內容", "請執行", "已完成：", "顯示購物清單"),
    ],
)
async def test_a_plan_is_made_and_carried_out_in_the_language_asked_in(asked, plan, go, done, seen):
    visit = Visit("planning_mode")

    planned = await visit.say(asked, planning=True)
    in_vain = await visit.say(go)
    carried_out = await visit.say(go, planning=False, plan=planned.state["plan"])
    shown = await visit.say(seen)

    assert planned.texts[-1][1].splitlines()[0] == "1. Add “茶” to shopping.md."
    assert planned.texts[-1][1].splitlines()[1].startswith(plan)
    assert "write_file" not in calls(in_vain)
    assert carried_out.texts[-1][1] == f"{done}\n- Add “茶” to shopping.md."
    assert shown.texts[-1][1] == "shopping.md:\n# Shopping\n\n- bread\n- milk\n- apples\n- 茶"


KINDS = st.sampled_from(["add", "remove"])
ENTRIES = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=20)


@settings(deadline=None)
@given(st.lists(st.builds(Step, KINDS, st.sampled_from(PATHS), ENTRIES) | st.just(Step("start", "guests.md")), max_size=20))
def test_a_plan_is_read_as_it_was_written(steps):
    plan = "\n".join(f"{number}. {step}" for number, step in enumerate(steps, 1))

    assert read_plan(f"{plan}\nNot needed: “x” is not in todo.md.\nNothing is changed yet.") == steps


@settings(deadline=None)
@given(st.lists(ENTRIES, max_size=6), ENTRIES)
def test_what_is_added_can_be_removed_again(entries, entry):
    text = "# List\n\n" + "".join(f"- {one}\n" for one in entries if one.casefold() != entry.casefold())
    add, remove = Step("add", "list.md", entry), Step("remove", "list.md", entry)

    longer, why = changed(text, add)

    assert (longer, why) == (f"{text}- {entry}\n", "")
    assert changed(longer, add) == (longer, f"“{entry}” is in list.md already")
    assert changed(longer, remove) == (text, "")
    assert changed(text, remove) == (text, f"“{entry}” is not in list.md")


async def test_a_step_that_is_not_needed_is_not_taken():
    request = "Add bread to the shopping list and remove gold from the packing list"
    run = await rehearse_async("planning_mode", request, state=PLANNING)

    assert last_said(run, "Planner").splitlines() == [
        "There is nothing to do.",
        "Not needed: “bread” is in shopping.md already.",
        "Not needed: “gold” is not in packing.md.",
    ]


async def test_errors_of_the_tools_are_told(simulated_request):
    tools = ["list_files", "read_file", "write_file"]
    listed = ("list_files", {"files": {"b.md": 1}})
    read = ("read_file", {"path": "b.md", "text": "# B\n"})

    def said(*results, message="add tea to b.md"):
        request = simulated_request("Doer", "", tools=tools, results=results)
        request.contents[0].parts[0].text = message
        return keep_lists(request)

    assert said(listed, ("read_file", {"error": "Locked."})) == "I could not read everything: Locked."
    assert said(listed, read, ("write_file", {"error": "Full."})) == "Not everything was written: Full."
    assert said(listed, read).calls == [("write_file", {"path": "b.md", "text": "# B\n- tea\n"})]
    asked = "把牛奶加到購物清單"
    listed = ("list_files", {"files": {"shopping.md": 1}})
    assert said(listed, ("read_file", {"error": "Locked."}), message=asked) == "有檔案讀不了。"
