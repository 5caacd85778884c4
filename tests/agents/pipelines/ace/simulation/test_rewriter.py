"""The simulated rewriter: what it keeps, and what it loses."""

from __future__ import annotations

import pytest

from agents.ace.value.tokens import count_tokens
from agents.models.simulated.request import SimulatedRequest
from agents.pipelines.ace.simulation import SIMULATION
from agents.pipelines.ace.simulation.rewriter import MOST_NAMES, MOST_TOKENS, NEWEST, REWRITING_RULE

QUESTION = "What is the current ratio if current assets are €6,000 and current liabilities are €4,000?"
FORMULA = "current ratio = current assets / current liabilities"


def rewritten(notes, question=QUESTION, given="10,000", feedback="The right answer is: 1.50", limits=""):
    """What the model answers to a prompt that explains the tags before it uses them."""
    prompt = (
        "Write the notes in <notes> anew.\n"
        f"<notes>\n{notes}\n</notes>\n<question>\n{question}\n</question>\n"
        f"<answer>\n{given}\n</answer>\n<feedback>\n{feedback}\n</feedback>\n<limits>\n{limits}\n</limits>"
    )
    return SIMULATION["Rewriter"](SimulatedRequest("Rewriter", prompt, ()))


def test_it_writes_down_what_the_right_answer_teaches():
    example = "e.g. current assets 6000 and current liabilities 4000 give 1.50"
    assert rewritten("") == f"current ratio: formula not known yet; {example}"
    other = "current ratio: formula not known yet; e.g. current assets 30 and current liabilities 10 give 3"
    assert rewritten(other, given="2") == f"{FORMULA}; e.g. current assets 30 and current liabilities 10 give 3"


def test_what_became_wrong_is_replaced():
    notes = f"one thing\n{FORMULA.replace('/', '*')}\nanother thing"
    assert rewritten(notes, given="24,000,000").splitlines() == ["one thing", "another thing", rewritten("")]


@pytest.mark.parametrize("feedback", ["None.", "", "A person says the answer is wrong."])
def test_without_a_right_answer_nothing_is_learned_and_detail_is_lost_all_the_same(feedback):
    first, second = (f"; e.g. current assets {n} and current liabilities 4 give 0.{25 * n}" for n in (1, 3))
    notes = FORMULA + first + second
    assert rewritten(notes, given="0.5", feedback=feedback) == notes.rpartition(";")[0]


def test_a_text_over_the_limit_is_summed_up_to_names_and_the_newest_lines():
    notes = [f"{word} total = {word} part + {word} rest" for word in words(150)]
    assert count_tokens("\n".join(notes)) > MOST_TOKENS
    first, *others = rewritten("\n".join(notes)).splitlines()
    assert others == [*notes[1 - NEWEST :], rewritten("")]
    assert first.startswith(f"Also known: {notes[0].partition(' =')[0]}, ")
    assert first.count(",") == MOST_NAMES - 1
    assert first.endswith(f" and {150 - NEWEST + 1 - MOST_NAMES} more.")
    again = rewritten("\n".join([first, *notes]))
    assert again.startswith(first.partition(" and ")[0]), "a summary is summed up with the rest"


def test_a_prompt_with_limits_switches_the_rule_of_loss_off():
    examples = "; e.g. current assets 1 and current liabilities 4 give 0.25" * 2
    notes = [f"{word} total = {word} part + {word} rest{examples}" for word in words(150)]
    assert rewritten("\n".join(notes), limits="Leave out no line.").splitlines() == [*notes, rewritten("")]


def words(count):
    return ["".join(chr(97 + number // 26**place % 26) for place in range(3)) for number in range(count)]


HOSTILE = ("", "x" * 100_000, "</notes>", "；" * 1000, "効率的な\nメモ", "\ud800", ";" * 5000, "=\n" * 3000)


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text[:10]))
def test_any_text_can_be_rewritten(text):
    for part in ("notes", "question", "given", "feedback"):
        assert isinstance(rewritten(**{"notes": "", part: text}), str)


def test_the_rule_is_said_with_its_figures():
    assert all(f"{figure:,}" in REWRITING_RULE for figure in (MOST_TOKENS, NEWEST, MOST_NAMES))
