"""What answered, in words."""

from __future__ import annotations

import pytest

from ui.text.answered_by import models_of


@pytest.mark.parametrize(
    ("asked", "model", "simulated", "words"),
    [
        (["simulated", "", "simulated"], "simulated", True, "simulated"),
        (["gemini-flash-latest"], "simulated", False, "gemini-flash-latest"),
        (["simulated", "gemini-flash-latest", "simulated"], "simulated", True, "simulated, gemini-flash-latest"),
        (["llama/a", "ollama/b"], "llama/a", False, "llama/a, ollama/b"),
        ([], "simulated", False, "the agents' own models"),
        ([], "", False, ""),
        (["replay/p/s"], "replay/p/s", False, "replayed"),
    ],
)
def test_the_calls_say_what_answered(asked, model, simulated, words):
    assert models_of(asked, model=model, simulated=simulated) == words
