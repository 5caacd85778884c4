"""Every sentence that a role says follows from what it was given, whatever that is."""

from __future__ import annotations

import json
import re
from typing import Any

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from agents.ace.roles.instructions import EMPTY_PLAYBOOK, prompt
from agents.llm.instruction import fill_template
from agents.models.simulated.model import Reply, SimulatedRequest
from agents.pipelines.ace.simulation import SIMULATION
from agents.pipelines.ace.simulation.advice.rubric import criteria_in, judge
from agents.pipelines.ace.simulation.advice.topics import topic_of
from agents.pipelines.ace.simulation.bullets import lines_in
from agents.pipelines.ace.simulation.feedback import compare, read_feedback
from agents.pipelines.ace.simulation.reading.kind import kind_of_question
from agents.pipelines.ace.simulation.reading.sums import Sum

RUBRIC = criteria_in(prompt("reflector"))
QUESTIONS = [
    "A shop has current assets of 120 and current liabilities of 80. What is the current ratio?",
    "A coat has a list price of €40, and there is a 20 % discount. What is the discounted price?",
    "What is the perimeter in m if the length is 6 m and the width is 2 m?",
    "Tell me about efficient task management",
    "タスク管理について教えてください",
    "怎么睡得好",
    "請告訴我如何有效管理任務",
    "What is 2 + 2?",
    "7 / 0",
    "Who has the key?",
    "Wie hoch ist die Liquidität?",
    "",
]
BULLETS = [
    "current ratio = current assets / current liabilities; e.g. current assets 3 and current liabilities 2 give 1.50",
    "current ratio = current liabilities / current assets",
    "perimeter: formula not known yet; e.g. length 5 and width 1 give 12 m",
    "Write ratios with 2 decimals.",
    "Asked: Who has the key? Answer: Nobody",
    "task management: set aside 15 minutes on every working day.",
    "task management: look back once a week and keep only what made a difference.",
    "タスク管理：同時に変える習慣は二つまでにする。",
    "The key is in the drawer.",
]
FEEDBACK = [
    "None.",
    "A person says the answer is right.",
    "A person says the answer is wrong.",
    "A person says the answer is wrong. They say: 1.5",
    "Execution feedback: exit code 0",
    "Execution feedback: exit code 1: expected 1.5",
    "Execution feedback: 12 rows",
    *(f"The right answer is: {truth}" for truth in ("1.50", "-7", "banana", "4", "16 m", "€32", "Nobody")),
]
WORDS = st.text(max_size=30)
IN_BRACKETS = re.compile(r"\[([a-z]-\d+)\]")
CLAIMS_RIGHT = (
    "is the right one",
    "The answer is right",
    "says that the answer is right",
    "答えは正しい",
    "反馈说答案正确",
    "回饋說答案正確",
)
CLAIMS_WRONG = (
    "is wrong",
    "the right answer is",
    "the right one is",
    "right by chance",
    "instead of",
    "答えは誤り",
    "答案错误",
    "答案錯誤",
)
UNCHECKED = (
    "no feedback",
    "Nobody checked",
    "Nothing was checked",
    "nothing was checked",
    "誰も確かめていません",
    "没有人核对",
    "沒有人核對",
)


def asked(role: str, agent: str, **values: str) -> dict[str, Any]:
    given_ = dict.fromkeys(("limits", "reflection", "previous_reflection", "round", "answer", "feedback", "verdict"), "")
    instruction = fill_template(prompt(role), {**given_, **values}, agent_name=agent)  # pyright: ignore[reportArgumentType]
    reply = SIMULATION[agent](SimulatedRequest(agent, instruction, ()))
    return json.loads(reply.text if isinstance(reply, Reply) else reply)


def texts_of(said: dict[str, Any]) -> str:
    parts = [said.get(key, "") for key in ("reasoning", "error_identification", "root_cause_analysis", "key_insight")]
    return "\n".join("\n".join(part) if isinstance(part, list) else str(part) for part in parts)


def cites_what_is_there(text: str, ids: set[str]) -> bool:
    return set(IN_BRACKETS.findall(text)) <= ids


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    question=st.sampled_from(QUESTIONS) | WORDS,
    bullets=st.lists(st.sampled_from(BULLETS) | WORDS, max_size=6, unique=True),
    feedback=st.sampled_from(FEEDBACK),
    own=st.none()
    | st.tuples(
        st.sampled_from(["1.5", "200", "4", "I do not know.", "First, check."]), st.lists(st.sampled_from(["b-1", "b-9"]))
    ),
)
def test_what_the_roles_claim_is_so(question, bullets, feedback, own):
    assume("<" not in question and not any("<" in text or "\n" in text or "[" in text for text in bullets))
    lines = [f"[b-{number}] helpful=0 harmful=0 :: {text}" for number, text in enumerate(bullets, 1)]
    playbook = "## task_management_strategies\n" + "\n".join(lines) if lines else EMPTY_PLAYBOOK
    shown = lines_in(playbook)
    ids = {line.id for line in shown}

    said = asked("generator", "Generator", playbook=playbook, question=question)
    about = " ".join(said["reasoning"])
    assert set(said["bullet_ids"]) <= ids
    assert cites_what_is_there(about, ids)
    assert ("No bullets were given" in about) <= (not ids)
    assert ("No bullet is about it" in about) <= bool(ids)
    if own is not None:
        said = {"reasoning": [], "bullet_ids": own[1], "final_answer": own[0]}
    cited = {id_ for id_ in said["bullet_ids"] if id_ in ids}

    found = asked(
        "reflector", "ReflectorModel", playbook=playbook, question=question, answer=json.dumps(said), feedback=feedback
    )
    check_reflection(found, question, said["final_answer"], feedback, ids, cited)
    curated = asked("curator", "CuratorModel", playbook=playbook, question=question, reflection=json.dumps(found))
    check_curation(curated, found, ids)


def check_reflection(
    found: dict[str, Any], question: str, answer: str, feedback: str, ids: set[str], cited: set[str]
) -> None:
    told, text = read_feedback(feedback), texts_of(found)
    is_right = told.is_right or (told.truth is not None and compare(answer, told.truth) != "other")
    is_wrong = told.is_right is False or (told.truth is not None and compare(answer, told.truth) != "same")
    assert cites_what_is_there(text, ids)
    assert any(claim in text for claim in CLAIMS_RIGHT) <= bool(is_right)
    assert any(claim in text for claim in CLAIMS_WRONG) <= is_wrong
    assert any(claim in text for claim in UNCHECKED) <= told.is_nothing
    assert (found["error_identification"] != "None.") <= is_wrong
    assert ("The cited bullets" in text) <= bool(cited)
    assert ("It rests on the bullets that it cites" in text) <= bool(cited)
    assert ("cites no bullet" in text) <= (not cited)
    tags = {tag["id"]: tag["tag"] for tag in found["bullet_tags"]}
    assert tags.keys() <= cited
    assert told.is_nothing <= ({*tags.values()} <= {"neutral"}), "used is not helpful"
    assert ("harmful" in tags.values()) <= is_wrong
    assert isinstance(kind_of_question(question), Sum) <= (not found["correct_approach"])
    topic = topic_of(question)
    if topic is not None and topic.phrases.said["nothing_missing"] in text:
        assert judge(answer, topic.phrases, RUBRIC, topic=topic.name).missing == []


def check_curation(curated: dict[str, Any], reflected: dict[str, Any], ids: set[str]) -> None:
    text, operations = curated["reasoning"], curated["operations"]
    assert cites_what_is_there(text, ids)
    assert text
    named = {one[key] for one in operations for key in ("bullet_id",) if key in one}
    assert named <= ids
    assert ("found nothing wrong" in text) <= (reflected["error_identification"] == "None.")
    assert ("there is nothing to" in text and "says so" not in text and "has this" not in text) <= (not operations)
    count = re.search(r"Added to .*: (\d+) of the strategies", text)
    assert count is None or int(count[1]) == len(operations)
    assert operations == [] or reflected["correct_approach"]
