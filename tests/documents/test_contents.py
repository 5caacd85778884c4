"""What the documents say agrees with the code: pipelines, rights, commands, settings, errors, names of ADK, the map."""

from __future__ import annotations

import ast
import importlib
import re
from functools import cache

import pytest

from tests.architecture.sources import SCRIPTS, SOURCES, tree_of
from tests.documents.blocks import BLOCKS, COMMANDS, DOCS, ROOT
from ui.cli.main import COMMANDS as KNOWN_COMMANDS
from ui.text import documents

PROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def page(topic: str) -> str:
    return (DOCS / f"{topic}.md").read_text(encoding="utf-8")


def part(topic: str, heading: str) -> str:
    return next(one.text for one in documents.sections_of(topic) if one.title == heading)


# -- README


def test_the_readme_is_short_and_begins_with_the_two_commands():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.encode()) <= 10_000
    assert list(COMMANDS)[:2] == ["uv run playground", "uv run pytest"]
    assert 'playground = "ui.cli.main:main"' in PROJECT


@pytest.mark.parametrize("name", ["README.md", "ui/docs/start.md"])
def test_where_one_installs_it_says_what_cannot_be_beside_it(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    assert "`openai-agents`" in text
    assert 'packages = ["agents", "ui"]' in PROJECT


def test_version_and_licence_agree():
    assert 'license = "Apache-2.0"' in PROJECT
    assert "Version 2.0, January 2004" in (ROOT / "LICENSE").read_text(encoding="utf-8")
    [version] = re.findall(r'(?m)^version = "(.+)"$', PROJECT)
    assert re.findall(r"(?m)^## (\S+)$", documents.text_of("changelog"))[0] == version


# -- pages


def test_the_map_shows_what_is_there():
    [drawn] = [block.code for block in BLOCKS if block.file == "contribute.md" and "agents/" in block.code]
    mapped, root = set[str](), ""
    for line in drawn.splitlines():
        names = re.findall(r"[\w.]+(?:/|\.py)(?= |$)", line)
        if not line.startswith(" "):
            root = names[0]
            mapped.add(root)
        else:
            mapped |= {root + name for name in names}
    folders = {
        f"{package}/{path.name}/"
        for package in ("agents", "ui")
        for path in (ROOT / package).iterdir()
        if path.is_dir() and any(path.rglob("*.py"))
    }
    assert {name for name in mapped if not (ROOT / name).exists()} == set(), "the map shows what is not there"
    assert folders - mapped == set(), "the map leaves folders out"


def test_every_pipeline_is_in_patterns():
    from agents.pipelines.catalog import Catalog

    assert [name for name in Catalog().names() if f"`{name}`" not in page("patterns")] == []


def test_security_says_what_each_role_may_do():
    from agents.access import RIGHTS, Role

    rows = {
        f"| {' | '.join([action.value.replace('this session', 'a session'), *(right[role] for role in Role)])} |"
        for action, right in RIGHTS.items()
    }
    table = part("security", "What a visitor may do").split("|---|---|---|---|---|---|---|---|")[1].split("\n\n")[0]
    assert set(table.strip().splitlines()) == rows


def test_terminal_has_every_command_with_its_words():
    said = dict(re.findall(r"(?m)^\| `playground ([\w-]+)` \| (.+?) \|", page("terminal")))
    assert said.keys() == {command.name for command in KNOWN_COMMANDS}
    short = {name: words.removesuffix(" of a file").removesuffix(" code") for name, words in said.items()}
    assert [c.name for c in KNOWN_COMMANDS if not c.summary.startswith(short[c.name])] == []


def test_operate_has_every_variable():
    from agents.models import endpoints

    text = (ROOT / "agents" / "config.py").read_text(encoding="utf-8")  # the only reader of the environment
    used = set(re.findall(r'"(PLAYGROUND_[A-Z_]+|HF_ENDPOINT|STREAMLIT_[A-Z_]+)"', text))
    used |= {name for endpoint in endpoints().values() for name in endpoint.variables}
    assert {"PLAYGROUND_DB", "GEMINI_API_KEY"} <= used
    assert [name for name in sorted(used) if f"`{name}`" not in part("operate", "Settings")] == []


# -- errors


@cache
def texts_by_module() -> dict[str, str]:
    """All texts of each module, `…` in the place of values; of scripts their source with strings joined."""
    found = {str(path): "\n".join(map(text_of, strings(path))) for path in SOURCES}
    scripts = (path for path in (*SCRIPTS, *(ROOT / "ui" / "assets").glob("*.js")))
    return found | {str(path): re.sub(r'" \+\s+"', "", path.read_text(encoding="utf-8")) for path in scripts}


def strings(path) -> list[ast.Constant | ast.JoinedStr]:
    return [node for node in ast.walk(tree_of(path)) if isinstance(node, (ast.Constant, ast.JoinedStr))]


def text_of(node: ast.Constant | ast.JoinedStr) -> str:
    if isinstance(node, ast.JoinedStr):
        return "".join(str(one.value) if isinstance(one, ast.Constant) else "…" for one in node.values)
    return node.value if isinstance(node.value, str) else ""


OF_PYTHON = ("ImportError: ", "ModuleNotFoundError: ")
ERRORS = [
    one.title for one in documents.sections_of("troubleshooting") if one.level == 3 and not one.title.startswith(OF_PYTHON)
]


@pytest.mark.parametrize("error", ERRORS)
def test_an_error_reads_as_the_page_has_it(error):
    pieces = [piece.strip() for piece in error.split("…") if piece.strip(" .,")]
    assert any(all(piece in text for piece in pieces) for text in texts_by_module().values())


# -- the wheel


def test_the_wheel_has_the_changelog_beside_the_pages():
    assert re.search(r'(?m)^"CHANGELOG\.md" = "ui/docs/changelog\.md"', PROJECT)


# -- public names


def test_snippets_import_public_names_alone():
    imports = [
        (block.place, node.module, alias.name)
        for block in BLOCKS
        if block.language == "python"
        for node in ast.walk(ast.parse(block.code))
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "agents"
        for alias in node.names
    ]
    assert len(imports) > 20
    assert [one for one in imports if one[2] not in getattr(importlib.import_module(one[1]), "__all__", ())] == []


# -- Markdown


@pytest.mark.parametrize("topic", documents.pages())
def test_nothing_is_read_as_one_of_streamlits_own_signs(topic):
    """Formulas, icons, emojis and colours, which GitHub does not have; HTML, which the app does not draw."""
    text = re.sub(r"(?s)```.*?```|``.+?``|`[^`\n]+`", "", documents.text_of(topic))
    assert re.findall(r"\$[^\n$]+\$|(?<!\w):[\w/+-]+:(?!\w)|:\w+\[|<[a-z/]", text) == []
