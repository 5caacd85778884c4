"""The documents as tests read them: files, and blocks of code with what follows them."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "ui" / "docs"
FILES = (ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted(DOCS.glob("*.md")))

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


class Block(NamedTuple):
    """A block of code.

    Attributes:
        file: Name of its file.
        line: Its first line.
        language: What stands after the fence.
        code: Its text.
        prints: The text of a block of the language `text` that comes right after it; "" for none.
    """

    file: str
    line: int
    language: str
    code: str
    prints: str

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}"


@cache
def blocks_of(path: Path) -> tuple[Block, ...]:
    text = path.read_text(encoding="utf-8")
    found = list(_BLOCK.finditer(text))
    blocks: list[Block] = []
    for number, one in enumerate(found):
        after = found[number + 1] if number + 1 < len(found) else None
        follows = after is not None and after[1] == "text" and not text[one.end() : after.start()].strip()
        prints = after[2] if after is not None and follows else ""
        blocks.append(Block(path.name, text.count("\n", 0, one.start()) + 2, one[1], one[2], prints))
    return tuple(blocks)


BLOCKS = tuple(block for path in FILES for block in blocks_of(path))


def command_of(line: str) -> str:
    """A command without the comment behind it, and without variables before it."""
    return re.sub(r"^(?:[A-Z_]+=\S+ )+", "", re.split(r"\s{2,}#|\s#\s", line)[0].strip())


COMMANDS = {
    command_of(line): block.place
    for block in BLOCKS
    if block.language == "console"
    for line in block.code.splitlines()
    if line.strip()
}
"""Commands, each with a place where it stands."""
