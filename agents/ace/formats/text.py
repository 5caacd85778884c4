"""The official text format of playbooks: `## SECTION` lines, and one line for each bullet.

    ## STRATEGIES AND INSIGHTS
    [sai-00001] helpful=4 harmful=0 :: Compare the units of both sides before dividing.

Other readers of this format look only for lines `[id] helpful=n harmful=n :: content`. So a bullet's content is written
on one line, in characters that they keep: `␤` is a line break, `␛` escapes what a line cannot hold and the three symbols
themselves, and `␟` begins fields that the format lacks: ` ␟neutral=2 archived`. Backslashes stay unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from agents.ace.bullet import StoredBullet
from agents.ace.formats.line import ESCAPE, MORE, on_one_line
from agents.ace.formats.text_reader import read_text

__all__ = [
    "bullet_line",
    "in_prompt",
    "prompt_line",
    "read_text",
    "write_header",
    "write_prompt",
    "write_text",
]

# Letters of any script: some equal Latin ones where case is ignored.
_TAG = re.compile(r"<(?=[^\W\d_]|[/!?|])")


def bullet_line(bullet: StoredBullet) -> str:
    """The line of a bullet, as files have it."""
    more = ""
    if bullet.neutral or bullet.archived:
        neutral = [f"neutral={bullet.neutral}"] if bullet.neutral else []
        more = f" {MORE}{' '.join([*neutral, *(['archived'] if bullet.archived else [])])}"
    return f"[{bullet.id}] helpful={bullet.helpful} harmful={bullet.harmful} :: {on_one_line(bullet.content)}{more}"


def prompt_line(bullet: StoredBullet) -> str:
    """The line of a bullet in a prompt. Its text cannot pass for a tag."""
    return f"[{bullet.id}] helpful={bullet.helpful} harmful={bullet.harmful} :: {in_prompt(bullet.content)}"


def in_prompt(content: str) -> str:
    """A bullet's text in its line of a prompt."""
    return _without_tags(on_one_line(content))


def write_header(section: str, *, prompt: bool = False) -> str:
    """The line that begins a section.

    Args:
        section: Its name.
        prompt: Whether it is for a prompt: then it cannot pass for a tag.
    """
    name = on_one_line(section) or f"{ESCAPE};"
    return f"## {_without_tags(name) if prompt else name}"


def write_prompt(bullets: Iterable[StoredBullet]) -> str:
    """Bullets for a model, by section."""
    lines: dict[str, list[str]] = {}
    for bullet in bullets:
        lines.setdefault(bullet.section, []).append(prompt_line(bullet))
    return "\n\n".join("\n".join([write_header(section, prompt=True), *found]) for section, found in lines.items())


def write_text(sections: Mapping[str, Sequence[StoredBullet]]) -> str:
    """All bullets of a playbook, archived ones too; `text_reader.read_text` reads equal bullets from it."""
    written = (write_header(section) + "\n" + "\n".join(map(bullet_line, found)) for section, found in sections.items())
    return "\n".join(text + "\n" for text in written)


def _without_tags(line: str) -> str:
    return _TAG.sub("‹", line) if "<" in line else line
