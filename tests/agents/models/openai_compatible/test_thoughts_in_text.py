"""Thoughts that a server sends as part of the text."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.models.openai_compatible.format_answer import OpenAIAnswer
from agents.models.openai_compatible.thoughts_in_text import ThoughtsInText

ANSWERS = [
    pytest.param("<think>Hm.</think>Yes.", "Hm.", "Yes.", id="both"),
    pytest.param("\n<think>\nHm.\n</think>\n\nYes.\n", "Hm.\n", "Yes.\n", id="with lines around them"),
    pytest.param("<think>\n\n</think>\n\nYes.", "", "Yes.", id="no thought"),
    pytest.param("<think>Hm. </thi</think>Yes.", "Hm. </thi", "Yes.", id="half a tag among thoughts"),
    pytest.param("<think>Hm", "Hm", "", id="cut among thoughts"),
    pytest.param("<think>Hm</th", "Hm</th", "", id="cut in the closing tag"),
    pytest.param("<thin", "", "<thin", id="cut in the opening tag"),
    pytest.param("<think>Hm.</think>", "Hm.", "", id="nothing said"),
    pytest.param("Yes. <think>no</think>", "", "Yes. <think>no</think>", id="a tag further in is text"),
    pytest.param("<think>a</think>b<think>c</think>", "a", "b<think>c</think>", id="a second one as well"),
    pytest.param(" Yes.", "", " Yes.", id="only text, as it is"),
    pytest.param("<thing> is a tag", "", "<thing> is a tag", id="another tag"),
    pytest.param("", "", "", id="nothing"),
    pytest.param("  ", "", "  ", id="nothing but spaces"),
]


def read(pieces: list[str]) -> tuple[str, str]:
    """Thoughts and text."""
    words, reader = [], ThoughtsInText()
    for text in pieces:
        words += reader.add(text)
    words += reader.end()
    assert all(word.text for word in words)
    return "".join(w.text for w in words if w.thought), "".join(w.text for w in words if not w.thought)


@pytest.mark.parametrize(("answer", "thought", "said"), ANSWERS)
def test_they_are_told_apart_however_the_answer_is_cut(answer: str, thought: str, said: str):
    assert read([answer]) == (thought, said)
    assert read(list(answer)) == (thought, said)
    for at in range(len(answer)):
        assert read([answer[:at], answer[at:]]) == (thought, said)


@given(st.text("<>/think \nab").filter(lambda text: not text.lstrip().startswith("<think>")), st.lists(st.integers(0, 40)))
def test_a_text_without_the_tag_is_kept(text: str, cuts: list[int]):
    places = sorted({0, len(text), *(min(cut, len(text)) for cut in cuts)})
    pieces = [text[start:end] for start, end in pairwise(places)]
    assert read(pieces) == ("", text)


@pytest.mark.parametrize("stream", [False, True])
def test_an_answer_has_them_as_thoughts(stream: bool):
    answer, texts = OpenAIAnswer("llama/x"), ["<th", "ink>H", "m.</think", ">\n\nYes", "."]
    chunks: list[dict[str, Any]] = [{"choices": [{"delta": {"content": text}}]} for text in texts]
    if not stream:
        chunks = [{"choices": [{"message": {"content": "".join(texts)}}]}]
    chunks.append({"choices": [{"delta": {}, "finish_reason": "stop"}]})
    pieces = [shown.content.parts[0] for chunk in chunks for shown in answer.add(chunk)]
    assert "".join(part.text for part in pieces if part.thought) == "Hm."
    assert "".join(part.text for part in pieces if not part.thought) == "Yes."
    whole = answer.whole(streamed=stream).content
    assert [(part.text, bool(part.thought)) for part in whole.parts] == [("Hm.", True), ("Yes.", False)]
