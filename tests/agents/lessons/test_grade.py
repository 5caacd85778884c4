"""The grades of a class: the verdicts of the page, and submissions that would do harm are refused and hide no other."""

from __future__ import annotations

import os

import pytest

from agents.errors import LessonError
from agents.lessons import grade as grade_module
from agents.lessons import grade_folder
from agents.pipelines import Catalog
from tests.agents.lessons.test_desk import LESSON

pytestmark = pytest.mark.anyio

GOOD = """\
lesson = "iterative_writing"
[steps.passes]
value = "escalated"
[steps.who_writes]
value = "current_document"
[steps.escalates]
at = "11"
hints = 1
[steps.critic]
answers = ["No major issues found."]
"""
TWO = 'edits = [{ agent = "RefinementLoop", field = "max_iterations", value = 2 }]\n'


@pytest.fixture(autouse=True)
def own_lesson(monkeypatch):
    monkeypatch.setattr(grade_module, "load_lesson", lambda *_: LESSON)


@pytest.fixture(scope="module")
def catalog():
    return Catalog()


@pytest.fixture
def hand_in(tmp_path):
    def write(learner, text=GOOD, **files):
        folder = tmp_path / learner
        folder.mkdir()
        (folder / "answers.toml").write_text(text, encoding="utf-8")
        for path, content in files.items():
            file = folder / path.replace("__", "/").replace("_yaml", ".yaml").replace("_py", ".py")
            file.parent.mkdir(exist_ok=True)
            file.write_text(content, encoding="utf-8")
        return folder

    return write


async def grades(tmp_path, catalog):
    return {grade.learner: grade async for grade in grade_folder(tmp_path, catalog)}


async def test_answers_get_the_verdicts_of_the_page(tmp_path, catalog, hand_in):
    hand_in("ada", f"{GOOD}[steps.shorter]\n{TWO}")
    grade = (await grades(tmp_path, catalog))["ada"]
    assert grade.points == {"passes": 2, "who_writes": 0, "escalates": 1, "shorter": 3, "stale": 0, "critic": 2}
    assert (grade.total, grade.most, grade.error) == (8, 14, "")
    assert grade.hints["who_writes"].startswith("That is what both work on.")


async def test_a_team_that_was_handed_in_is_run(tmp_path, catalog, hand_in):
    from agents.teams import set_field, team_of

    folder = hand_in("ada")
    for path, text in set_field(team_of(catalog.get("iterative_writing"))[0], "RefinementLoop", "max_iterations", 2).items():
        (folder / "shorter").mkdir(exist_ok=True)
        (folder / "shorter" / path).write_text(text, encoding="utf-8")
    assert (await grades(tmp_path, catalog))["ada"].points["shorter"] == 3


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("shorter__tools_py", "import os\nos.abort()\n"),
        ("shorter__agent_py", "import os\nos.abort()\n"),
        ("shorter__card_py", "import os\nos.abort()\n"),
        ("shorter__root_agent_yaml", "name: x\ntools:\n  - name: .tools.os.abort\n"),
        ("shorter__root_agent_yaml", "name: x\nbefore_agent_callbacks:\n  - name: os.abort\n"),
        ("shorter__root_agent_yaml", "name: x\nmodel: gemini-pro-latest\n"),
        ("shorter__root_agent_yaml", "name: x\nmodel_code: {name: .tools.m}\n"),
    ],
)
async def test_code_and_models_of_a_submission_are_refused(tmp_path, catalog, hand_in, name, text):
    files = {"shorter__root_agent_yaml": "name: x\n", name: text}
    hand_in("eve", **files)
    hand_in("zoe")
    found = await grades(tmp_path, catalog)
    assert found["eve"].points["shorter"] == 0
    assert "does not come with this step" in found["eve"].hints["shorter"] or "to stay" in found["eve"].hints["shorter"]
    assert found["zoe"].total == 5


async def test_what_cannot_be_read_is_told_with_its_line_and_hides_nothing(tmp_path, catalog, hand_in):
    hand_in("bad", "lesson = 3")
    hand_in("far", 'lesson = "nothing_like_it"')
    hand_in("odd", f"{GOOD}[steps.nine]\nvalue = 1\n")
    hand_in("deep", f"lesson = {'[' * 5000}")
    hand_in("good")
    (tmp_path / "link").symlink_to(hand_in("zoe"))
    (tmp_path / "none").mkdir()
    found = await grades(tmp_path, catalog)
    errors = {learner: grade.error for learner, grade in found.items() if grade.error}
    assert errors.keys() == {"bad", "far", "odd", "deep", "link", "none"}
    assert "line 1: lesson" in errors["bad"]
    assert "line 11: the lesson has no step 'nine'" in errors["odd"]
    assert "nested too deep" in errors["deep"]


@pytest.mark.parametrize(
    "value", ["nan", "inf", f"{'[1, ' * 240}1{']' * 240}", f"{'{ a = ' * 100}1{' }' * 100}", f"{{ {'a.' * 50_000}a = 1 }}"]
)
@pytest.mark.parametrize(
    "step", ["[steps.passes]\nvalue = {}\n", "[steps.critic]\nanswers = [{{ call = 'x', args = {{ a = {} }} }}]\n"]
)
async def test_a_value_that_no_log_can_have_hides_no_other(tmp_path, catalog, hand_in, step, value):
    hand_in("eve", 'lesson = "iterative_writing"\n' + step.format(value))
    hand_in("zoe")
    found = await grades(tmp_path, catalog)
    assert found["eve"].error
    assert found["zoe"].total == 5


@pytest.mark.parametrize("control", ["criticism", "current_document", "app:x"])
async def test_state_is_no_control(tmp_path, catalog, hand_in, control):
    edit = f'{{ control = "{control}", value = "No major issues found." }}'
    hand_in("eve", f"{GOOD}[steps.shorter]\n{TWO.replace('[', f'[{edit}, ')}")
    grade = (await grades(tmp_path, catalog))["eve"]
    assert grade.points["shorter"] == 0
    assert grade.hints["shorter"] == f"This step offers no control {control!r}."


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no FIFO in a folder")
async def test_a_fifo_is_not_waited_for(tmp_path, catalog, hand_in):
    folder = hand_in("eve")
    (folder / "answers.toml").unlink()
    os.mkfifo(folder / "answers.toml")
    assert "a device or a pipe" in (await grades(tmp_path, catalog))["eve"].error


async def test_a_folder_without_submissions_says_so(tmp_path, catalog):
    with pytest.raises(LessonError, match="no submissions"):
        await grades(tmp_path, catalog)
    with pytest.raises(LessonError, match="cannot be read"):
        await grades(tmp_path / "nowhere", catalog)
