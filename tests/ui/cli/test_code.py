"""`playground code`, called in this process."""

from __future__ import annotations

import ast

import pytest

from tests.ui.cli.test_main import STAGES, database, lines, playground, run  # noqa: F401  fixtures


@pytest.fixture
def session(run) -> str:  # noqa: F811
    return lines(run("talk 2", "--json")[1])[-1]["session_id"]


@pytest.fixture
def eligible(playground) -> str:  # noqa: F811
    return lines(playground("run", "iterative_writing", "the sea", "--json")[1])[-1]["session_id"]


def test_the_file_is_shown_or_written(playground, eligible, tmp_path):  # noqa: F811
    code, output, errors = playground("code", eligible)
    assert (code, errors) == (0, "")
    ast.parse(output)
    assert 'types.UserContent("the sea")' in output
    file = tmp_path / "再び.py"
    code, shown, errors = playground("code", eligible, "--file", str(file))
    assert (code, shown) == (0, "")
    assert errors.startswith(f"Wrote {file}: ")
    assert file.read_text(encoding="utf-8") == output


def test_a_file_that_is_there_is_not_overwritten(playground, eligible, tmp_path):  # noqa: F811
    file = tmp_path / "mine.py"
    file.write_text("mine")
    code, _, errors = playground("code", eligible, "--file", str(file))
    assert code == 2
    assert "is not overwritten" in errors
    assert file.read_text() == "mine"


def test_code_for_adk_imports_adk(playground, eligible):  # noqa: F811
    code, output, errors = playground("code", eligible, "--adk")
    assert (code, errors) == (0, "")
    assert "from google.adk.agents import" in output
    assert "from agents" not in output


def test_what_adk_lacks_is_said(playground):  # noqa: F811
    session = lines(playground("run", "routed_ab", "one two three", "--json")[1])[-1]["session_id"]
    code, output, errors = playground("code", session, "--adk")
    assert (code, output) == (2, "")
    assert "SummaryExperiment is a RoutedAgent" in errors


def test_agents_of_the_user_s_own_are_imported_from_their_package(playground, session):  # noqa: F811
    code, output, errors = playground("code", session, "--agents", str(STAGES))
    assert (code, errors) == (0, "")
    assert "from rehearsal" in output
    assert "PYTHONPATH" in output
    assert str(STAGES) not in output


def test_a_session_or_a_pipeline_that_is_gone_is_said(playground, session):  # noqa: F811
    assert "There is no session 'none' here" in playground("code", "none")[2]
    code, output, errors = playground("code", session)
    assert (code, output) == (2, "")
    assert "There is no pipeline 'rehearsal'" in errors
