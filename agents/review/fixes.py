"""Applies the fixes of findings to a team in YAML."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from agents.errors import TeamError
from agents.review.finding import Finding, Fix
from agents.teams.edit import outline, set_field
from agents.teams.stored.files import replace_file
from agents.teams.team import Team
from agents.teams.team_files import is_team


def apply_fix(files: Mapping[str, str], fix: Fix) -> dict[str, str]:
    """The files of a team with a fix.

    Raises:
        TeamError: The agent is not in the files, or they cannot be read.
    """
    if fix.field != "tools":
        return set_field(files, fix.agent, fix.field, fix.value)
    tools = next((node.tools for node in outline(files).walk() if node.name == fix.agent), ())
    others = [tool for tool in tools if str(tool.get("name")).rpartition(".")[2] != fix.value]
    if len(others) == len(tools):
        others.append({"name": fix.value})
    return set_field(files, fix.agent, "tools", others or None)


def fix_folder(folder: Path, findings: Iterable[Finding]) -> list[Fix]:
    """Writes fixes into the files of a team; of several for one field the first, since the others count on the old value.

    Args:
        folder: The team's folder. Nothing is changed in one whose agents are in Python.
        findings: What the review found in it.

    Returns:
        The fixes that were made.

    Raises:
        PipelineLoadError: A file cannot be used.
        OSError: A file cannot be written.
    """
    if not is_team(folder):
        return []
    texts = Team(folder).sources
    files, made = dict(texts), dict[tuple[str, str], Fix]()
    for fix in (finding.fix for finding in findings):
        if fix is None or (fix.agent, fix.field) in made:
            continue
        try:
            files = apply_fix(files, fix)
        except TeamError:  # the agent is written in Python
            continue
        made[fix.agent, fix.field] = fix
    for name, text in files.items():
        if text != texts[name]:
            replace_file(folder / name, text, beside=folder)
    return list(made.values())
