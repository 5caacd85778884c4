"""Checks a small Python source without ever running it: it is parsed and compiled, and its syntax tree is examined.

Absurdly large or nested sources are refused before Python's own parser sees them, since its time and stack cannot be
bounded.
"""

from __future__ import annotations

import ast
import io
import re
import symtable
import threading
import tokenize
import warnings
from collections.abc import Iterator
from contextlib import suppress

from agents.pipelines.code_refinement.finding import Finding
from agents.pipelines.code_refinement.rules import RULES, Source

MOST_CHARACTERS = 12_000
MOST_LINES = 300
MOST_TOKENS = 400
"""Most tokens in one statement: operators nest an expression without brackets."""
MOST_NESTED = 20
"""Most levels of nested brackets or blocks."""
MOST_STRING = 2_000
"""Most characters of one string."""
MOST_REQUEST = 2_000
"""Characters of a request in which a name is looked for."""
USUAL_BRANCHES = 8

FENCED = re.compile(r"^[ \t]*+(`{3,}+|~{3,}+)[^\n]*+\n(.*?)(?:^[ \t]*+\1[ \t]*+$|\Z)", re.DOTALL | re.MULTILINE)
_NAMED = re.compile(
    r"`([A-Za-z_]\w*+)\s*+(?:\([^`]*\))?`"
    r"|\b(?:called|named|function|def)\s++[\"“']?([A-Za-z](?=\w*?_\w)\w*+|[A-Za-z_]\w*+(?=\())"
    r"|\b(?:called|named)\s++[\"“']?([A-Za-z_]\w*+)|\b([A-Za-z](?=\w*?_\w)\w*+)\("
)
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
_recording_warnings = threading.Lock()  # Python keeps one list of filters for all threads


def code_in(answer: str) -> str:
    """The source in an answer: its first fenced block, "" if it has none."""
    found = FENCED.search(answer)
    return found[2] if found else ""


def name_in(request: str) -> str | None:
    """The name that a request wants the function to have, None if it does not say."""
    found = _NAMED.search(FENCED.sub("", request)[:MOST_REQUEST])
    return next(name for name in found.groups() if name) if found else None


def check(source: str, *, wanted: str | None = None, most_branches: int = USUAL_BRANCHES) -> list[Finding]:
    """The findings on a source, by line. An error that prevents compiling is the only finding.

    Args:
        source: Python, as text. It is not run, nor imported.
        wanted: Name of a function that it must define.
        most_branches: Branches that a function may have, see `rules.branches`.
    """
    source = source.replace("\r\n", "\n").replace("\r", "\n")
    if not source.strip():
        return [Finding(1, "no code", "the answer has no fenced block of Python")]
    if (excess := next(_excesses(source), None)) is not None:
        return [excess]
    compiled = _compiled(source)
    if isinstance(compiled, Finding):
        return [compiled]
    looked_at = Source(*compiled, wanted=wanted, most_branches=most_branches)
    return sorted({finding for rule in RULES for finding in rule(looked_at)})


def _excesses(source: str) -> Iterator[Finding]:
    """Findings on size: by counting alone, in linear time."""
    if len(source) > MOST_CHARACTERS or source.count("\n") > MOST_LINES:
        yield Finding(1, "too long", f"at most {MOST_LINES} lines and {MOST_CHARACTERS} characters are checked")
        return
    tokens = brackets = indents = 0
    with suppress(tokenize.TokenError, SyntaxError):  # the part read so far is within bounds; compiling finds the rest
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            tokens = 0 if token.type == tokenize.NEWLINE else tokens + 1
            brackets += (token.string in _OPENING) - (token.string in _CLOSING)
            indents += (token.type == tokenize.INDENT) - (token.type == tokenize.DEDENT)
            if tokens > MOST_TOKENS or max(brackets, indents) > MOST_NESTED:
                yield Finding(token.start[0], "too deep", "this is too long or nested too deeply; split it")
                return
            if token.type == tokenize.STRING and len(token.string) > _most_string(token.string):
                yield Finding(token.start[0], "too long", f"a string has at most {_most_string(token.string)} characters")
                return


def _most_string(literal: str) -> int:
    """How long a string may be; what is in an f-string is code."""
    return MOST_TOKENS if "f" in literal[:2].lower() else MOST_STRING


def _compiled(source: str) -> tuple[ast.Module, symtable.SymbolTable] | Finding:
    """The syntax tree and the names of each scope; or why there are none. Compiled code is thrown away unrun."""
    try:
        with _recording_warnings, warnings.catch_warnings():
            warnings.simplefilter("error", SyntaxWarning)
            warnings.simplefilter("ignore", DeprecationWarning)
            tree = ast.parse(source)
            compile(tree, "<code>", "exec", dont_inherit=True)
            return tree, symtable.symtable(source, "<code>", "exec")
    except SyntaxError as error:
        return Finding(error.lineno or 1, "syntax", error.msg)
    except (ValueError, OverflowError) as error:  # a null character, half a character, a number of thousands of digits
        return Finding(1, "syntax", str(error))
    except (RecursionError, MemoryError):
        return Finding(1, "too deep", "it is nested too deeply to be compiled")
