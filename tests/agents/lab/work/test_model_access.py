"""A run whose model cannot be asked is not begun: each of its samples would fail, and count as wrong for good."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.errors import LabError, ModelNotFoundError
from agents.lab import Lab, Outcome, Parts, Task, run_sample
from agents.lab.work.model_access import check_model
from tests.agents.lab.stage import ByAgent, Drawn, description, finished, parts

pytestmark = pytest.mark.anyio

ARMS = '[[arms]]\nkind = "none"\n'


@pytest.fixture(autouse=True)
def no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GEMINI_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.delenv(name, raising=False)


async def elsewhere(task: Task) -> Outcome:
    return await run_sample(task)


@pytest.mark.parametrize(
    ("model", "why"),
    [
        ("gemini-flash-latest", "it needs a key and there is none"),
        ("local/no-such-file", "models folder|extra"),
        ("nonsense", "No provider answers"),
        ("you", "nobody is asked in a measurement"),
    ],
)
async def test_a_run_with_a_model_that_cannot_be_asked_leaves_no_folder(tmp_path: Path, model: str, why: str):
    with pytest.raises((LabError, ModelNotFoundError), match=why):
        Lab(tmp_path).begin(description(ARMS, model=model), parts=Parts(data=Drawn(2)))
    assert list(tmp_path.iterdir()) == []


async def test_a_key_is_looked_for_where_the_model_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    text = description(ARMS, model="gemini-flash-latest")
    assert Lab(tmp_path).begin(text, parts=Parts(data=Drawn(2), execute=elsewhere)).name
    monkeypatch.setenv("GEMINI_API_KEY", "a key")
    assert Lab(tmp_path).begin(text, parts=Parts(data=Drawn(2))).name
    with pytest.raises(ModelNotFoundError):
        check_model("nonsense", is_asked_here=False)


async def test_a_run_is_resumed_without_its_model_only_if_it_has_ended(tmp_path: Path):
    text, model = description(ARMS, model="gemini-flash-latest"), ByAgent()
    Lab(tmp_path).begin(text, parts=parts(model=model))
    (await finished(tmp_path, text, model=model)).close()
    with pytest.raises(LabError, match="a key"):
        Lab(tmp_path).resume("run", parts=parts())
    assert Lab(tmp_path).resume("run-2", parts=parts()).name == "run-2"
