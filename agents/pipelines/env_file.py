"""Reads `.env` files: names and values, a line each. Sets nothing."""

from __future__ import annotations

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "\\": "\\", "$": "$"}


def read_env(text: str) -> dict[str, str]:
    """The variables in the text of a `.env` file.

    A line is `NAME=value`, perhaps after `export`. A value may be in quotes and then have several lines; between double
    quotes a backslash begins an escape. Without quotes a value ends before ` #`. Other lines are passed over, and nothing is
    expanded.
    """
    found: dict[str, str] = {}
    lines = iter(text.splitlines())
    for line in lines:
        name, equals, value = line.strip().removeprefix("export ").partition("=")
        name, value = name.strip(), value.strip()
        if not equals or not name.isidentifier():
            continue
        quote = value[:1]
        if quote in ("'", '"') and quote:
            held = [value[1:]]
            while _end_of(held[-1], quote) is None and (more := next(lines, None)) is not None:
                held.append(more)
            held[-1] = held[-1][: _end_of(held[-1], quote)]
            value = "\n".join(held)
            found[name] = value if quote == "'" else _unescaped(value)
        else:
            found[name] = "" if quote == "#" else value.partition(" #")[0].rstrip()
    return found


def _end_of(text: str, quote: str) -> int | None:
    """Where the closing quotation mark is; None where there is none."""
    place = 0
    while place < len(text):
        if text[place] == "\\" and quote == '"':
            place += 2
        elif text[place] == quote:
            return place
        else:
            place += 1
    return None


def _unescaped(text: str) -> str:
    said: list[str] = []
    signs = iter(text)
    for sign in signs:
        if sign == "\\":
            escaped = next(signs, "")
            said.append(_ESCAPES.get(escaped, f"\\{escaped}"))
        else:
            said.append(sign)
    return "".join(said)
