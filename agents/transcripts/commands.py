"""What a shell command and its output say: the command without what changes each time, and the line with the error."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, cast

_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "powershell", "pwsh", "cmd"})
_WRAPPERS = frozenset({
    "sudo", "time", "env", "command", "exec", "nohup", "timeout", "npx", "uv", "run", "poetry", "pipenv", "python",
    "python3", "-m", "-c", "bunx", "pnpm", "npm", "yarn", "node", "py", "cd", "&&",
})  # fmt: skip
"""Words that say how something is run, not what."""
_RUNNERS = frozenset(
    {"npm", "pnpm", "yarn", "bun", "make", "just", "cargo", "go", "gradle", "mvn", "poetry", "uv", "nox", "rake"}
)
"""Programs that run what a project defines: another word after one of them may have the same aim."""
_LOOKS = frozenset({
    "ls", "cat", "head", "tail", "echo", "grep", "rg", "find", "sed", "awk", "wc", "pwd", "which", "test", "tree", "stat",
    "diff", "cmp", "kill", "pkill", "sleep", "true", "false",
})  # fmt: skip
"""Programs that look at things: that they find nothing is no failure."""
_TESTS = re.compile(
    r"(?:^|[\s;&|/])(?:pytest|py\.test|unittest|tox|nox|jest|vitest|mocha|rspec|phpunit|ctest|"
    r"(?:npm|pnpm|yarn|bun|deno|cargo|go|dotnet|mvn|gradle|gradlew|swift|mix|make|rake|rails|zig) "
    r"(?:run )?(?:[a-z:]{0,20}:)?tests?)(?![\w.-])"
)
_FAILED = re.compile(
    r"(?<![\w.])[1-9]\d{0,6} (?:failed|failing|errors?|failures?)\b|^FAIL(?:ED)?\b|test result: FAILED|Tests? failed",
    re.MULTILINE | re.IGNORECASE,
)
_ERROR = re.compile(r"\b\w{0,60}(?:Error|Exception)\b:? ?\S")
_PROBLEM = re.compile(
    r"error|not found|no such|denied|missing|cannot|can't|unknown|invalid|unrecognized|failed|fatal|usage:", re.IGNORECASE
)
_VARIES = re.compile(
    r"'[^'\n]{0,200}'|\"[^\"\n]{0,200}\"|`[^`\n]{0,200}`|(?<![\w/])[~.]{0,2}/[^\s:'\"]{1,200}|0x[0-9a-f]{4,16}|\b\d+\b"
)
_PIPED = re.compile(r"\s(?:\|\||[|<;]|2?>)")
_QUOTED = re.compile(r"'[^']{0,500}'|\"[^\"]{0,500}\"")
_FILE = re.compile(r"\.\w{1,5}(?:::\S{0,80})?$")
_LONGEST_COMMAND = 2_000
_MOST_LINES = 200
_LONGEST = 160


def command_of(arguments: Mapping[str, Any]) -> str:
    """The shell command in the arguments of a tool call; "" for none."""
    given = arguments.get("command", arguments.get("cmd"))
    if isinstance(given, list):
        words = [str(word) for word in cast("list[Any]", given)]
        is_shell = len(words) > 2 and words[0].rpartition("/")[2] in _SHELLS  # noqa: PLR2004  shell, option, script
        given = words[-1] if is_shell else " ".join(words)
    return given.strip() if isinstance(given, str) else ""


def essence(command: str) -> str:
    """A command without the folder that it is run in, files, numbers, quoted texts, and what its output is piped into."""
    first = next((line for line in command.splitlines() if line.strip()), "")
    while first.startswith("cd ") and "&&" in first:
        first = first.partition("&&")[2].strip()
    first = _PIPED.split(_QUOTED.sub("", first[:_LONGEST_COMMAND]), maxsplit=1)[0]
    kept = [word for word in first.split()[:40] if not _changes(word)]
    return " ".join(kept)[:_LONGEST]


def _changes(word: str) -> bool:
    """Whether a word is a file, a number or a text, and not a part of the command itself."""
    if word.startswith("-"):
        return "=" in word and "/" in word
    return "/" in word or word.startswith("$") or word.isdigit() or bool(_FILE.search(word))


def aims(command: str) -> frozenset[str]:
    """The words of a command that say what is run; none of a command that only looks at something."""
    words = essence(command).split()
    if not words or words[0] in _LOOKS:
        return frozenset()
    said = (word for word in words if word not in _WRAPPERS and not word.startswith("-"))
    return frozenset((*said, *(f"{word} …" for word in words[:1] if word in _RUNNERS)))


def is_test(command: str) -> bool:
    """Whether a command runs tests."""
    return _TESTS.search(command) is not None


def has_failures(output: str) -> bool:
    """Whether the output of tests says that some failed."""
    return _FAILED.search(output) is not None


def problem_in(output: str) -> str:
    """The line of an output that says what went wrong."""
    lines = [line.strip() for line in output.splitlines()[:_MOST_LINES] if line.strip()]
    lines = [line for line in lines if not line.startswith(("Exit code", "<tool_use_error>Exit", "Wall time", "Chunk ID"))]
    errors = [line for line in lines if _ERROR.search(line[:_LONGEST])]
    named = errors[-1:] or [line for line in lines if _PROBLEM.search(line[:_LONGEST])] or lines
    text = named[0].removeprefix("<tool_use_error>").removesuffix("</tool_use_error>") if named else ""
    return text.removeprefix("E   ").strip()[:_LONGEST]


def pattern_of(problem: str) -> str:
    """A problem without what differs from one time to the next: names in quotes, paths and numbers."""
    return _VARIES.sub("…", problem)
