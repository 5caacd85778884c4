"""`playground import` of coding agents' sessions, and `playground learn-from`."""

from __future__ import annotations

import json

from agents.toolsets.skills import load_skill_from_dir
from tests.agents.transcripts.samples import claude_session, codex_session, lines, write
from tests.ui.cli.test_main import database, playground

__all__ = ["database", "playground"]


def test_a_folder_is_imported_and_what_was_masked_is_said(playground, tmp_path):
    key = "ghp_" + "a1" * 18
    write(tmp_path / "in" / "a.jsonl", claude_session().text() + f"{{cut {key}\n")
    write(tmp_path / "in" / "b.jsonl", lines(codex_session()))
    write(tmp_path / "in" / "notes.json", "{}")
    code, said, errors = playground("import", str(tmp_path / "in"))
    assert (code, errors) == (0, "")
    assert "6 events of Claude Code, Fix the till" in said
    assert "lines that could not be read, and are kept as they are: 1" in said
    assert "Masked: 1 × GitHub token." in said
    assert "2 files: 2 sessions imported, 0 already here, 0 without a session." in said
    assert "Already here" in playground("import", str(tmp_path / "in"))[1]
    rows = [json.loads(line) for line in playground("sessions", "--json")[1].splitlines()]
    assert {row["pipeline"] for row in rows} == {"coding_session"}


def test_learn_from_the_example_writes_a_skill_a_playbook_and_samples(playground, tmp_path):
    code, said, errors = playground(
        "learn-from", "--example", "--skill", str(tmp_path), "--samples", str(tmp_path / "s.jsonl"), "--name", "Shop rules"
    )
    assert code == 0, errors
    assert "cmd-00001: When `pytest` fails" in said
    assert "The playbook Shop rules has 2 bullets that passed, 2 of them new." in said
    skill = load_skill_from_dir(tmp_path / "shop-rules")
    assert set(skill.resources.references) == {"cmd-00001.md", "cmd-00003.md"}
    assert len((tmp_path / "s.jsonl").read_text().splitlines()) == 9
    again = playground("learn-from", "--example", "--name", "Shop rules")[1]
    assert "0 of them new" in again


def test_what_cannot_be_learned_from_is_said(playground, tmp_path):
    assert "Name a folder of sessions" in playground("learn-from")[2]
    assert "There is no session of a coding agent" in playground("learn-from", str(tmp_path))[2]
