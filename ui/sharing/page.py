"""One HTML file that replays a session: the session view with the log in it. It needs no server and no network.

Data is inert: it stands in a JSON block without "<", and the view shows text as text. The policy names the script and
the style sheet by hash, lets nothing else run, and lets nothing be fetched.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from google.genai import types

from agents.ace import Playbook, StoredBullet
from agents.models import PriceRow, context_windows
from agents.sharing import SCOPES, SessionFile
from ui.browser.bundle import bundle, style_sheet
from ui.shell.appearance import icon, settings

MOST_BULLETS = 2000
"""Most bullets of a revision in a page; those that the session names come first."""

_HERE = Path(__file__).parent
_VIEW = _HERE.parent / "session_view"
_DIALOGS = _HERE.parent / "assets" / "dialogs.css"
_OURS = {
    folder / name: _HERE / "js" / name
    for folder, name in (
        (_HERE.parent / "browser" / "js", "addresses.js"),
        (_VIEW / "js" / "page", "feed.js"),
        (_VIEW / "js" / "page", "server.js"),
    )
}
_PICTURES = {"image/png", "image/jpeg", "image/webp", "image/gif"}
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Agent Playground">
<link rel="icon" href="{icon}">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<noscript>This page shows a recorded session. It needs JavaScript, which this browser does not run.</noscript>
<script type="application/json" id="recorded">{data}</script>
<script type="module">{script}</script>
</body>
</html>
"""


def session_page(file: SessionFile, *, tree: Mapping[str, Any] | None, prices: Sequence[PriceRow] = ()) -> str:
    """The page of a session.

    Args:
        file: The session.
        tree: The agent tree, see `agents.pipelines.describe_tree`; None if its pipeline is not here.
        prices: What models cost, as `agents.models.price_rows` gives it.
    """
    script, style = _script(), _style()
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    about = json.dumps(_recorded(file, tree, prices), ensure_ascii=False, separators=(",", ":"))
    entries = ",".join(entry.to_json() for entry in file.entries)  # as stored, so that numbers keep every digit
    data = f'{about[:-1]},"entries":[{entries}]}}'
    return _PAGE.format(
        policy=policy,
        icon=icon(),
        title=html.escape(file.title or "Session"),
        style=style,
        data=data.replace("<", "\\u003c"),  # in JSON, "<" stands in texts alone
        script=script,
    )


def _recorded(file: SessionFile, tree: Mapping[str, Any] | None, prices: Sequence[PriceRow]) -> dict[str, Any]:
    return {
        "pipeline": file.pipeline,
        "session": file.session,
        "title": file.title,
        "left_out": [scope for scope in SCOPES if scope not in file.scopes],
        "tree": tree,
        "prices": list(prices),
        "windows": list(context_windows().items()),
        "texts": dict(file.texts),
        "playbooks": {name: _playbook(found) for name, found in file.playbook_revisions().items()},
        "files": {f"{one.version}/{one.name}": url for one in file.artifacts if (url := _address(one.part)) is not None},
    }


def _playbook(revisions: Sequence[tuple[Playbook, frozenset[str]]]) -> dict[str, Any]:
    """The bullets of a playbook, each once, and those of each revision by place."""
    places: dict[str, int] = {}
    bullets: list[dict[str, Any]] = []
    found: dict[str, Any] = {}
    for playbook, named in revisions:
        chosen = list(_chosen(playbook, named))
        all_: list[int] = []
        for bullet in chosen:
            shown = _shown(bullet)
            key = json.dumps(shown)
            if key not in places:
                places[key] = len(bullets)
                bullets.append(shown)
            all_.append(places[key])
        found[str(playbook.revision)] = {"all": all_, "more": len(playbook) - len(all_)}
    return {"bullets": bullets, "revisions": found}


def _chosen(playbook: Playbook, named: frozenset[str]) -> Iterator[StoredBullet]:
    if len(playbook) <= MOST_BULLETS:
        yield from playbook.bullets
        return
    rest = MOST_BULLETS - len(named)
    for bullet in playbook.bullets:
        if bullet.id in named or rest > 0:
            rest -= bullet.id not in named
            yield bullet


def _shown(bullet: StoredBullet) -> dict[str, Any]:
    """A bullet as `ui.web.routes.playbooks` serves it."""
    fields = ("id", "section", "content", "helpful", "harmful", "neutral", "archived")
    return {field: getattr(bullet, field) for field in fields}


def _address(part: types.Part) -> str | None:
    """A file as an address that holds it; what is no picture is only to be saved."""
    if part.text is not None:
        kind, content = "application/octet-stream", part.text.encode()
    elif part.inline_data is not None and part.inline_data.data is not None:
        kind, content = part.inline_data.mime_type or "", part.inline_data.data
    else:
        return None
    kind = kind if kind in _PICTURES else "application/octet-stream"
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"


@cache
def _script() -> str:
    """The page's module; the view's own modules, but for those that would ask a server."""
    source = "\n" + bundle(_HERE / "js" / "page.js", instead=_OURS)
    if "</script" in source.lower() or "<!--" in source:
        raise ValueError("The page's script has text in it that would end it in HTML.")
    return source


@cache
def _style() -> str:
    source = "\n".join(["", *_themes(), style_sheet(_VIEW / "css"), style_sheet(_HERE / "css"), _DIALOGS.read_text("utf-8")])
    if "</style" in source.lower():
        raise ValueError("The page's style sheet has text in it that would end it in HTML.")
    return source


def _themes() -> Iterator[str]:
    """The app's two themes, as the variables that the session view reads."""
    known = settings()
    colours = {
        "background-color": "backgroundColor",
        "secondary-background-color": "secondaryBackgroundColor",
        "text-color": "textColor",
        "primary-color": "primaryColor",
    }

    def block(theme: str) -> str:
        return " ".join(f"--st-{name}: {known[f'theme.{theme}.{key}']};" for name, key in colours.items())

    fonts = f"--st-font: {known['theme.font']}; --st-code-font: {known['theme.codeFont']};"
    yield f":root {{ {fonts} --st-base-font-size: {known['theme.baseFontSize']}px; {block('light')} }}"
    yield f"@media (prefers-color-scheme: dark) {{ :root {{ {block('dark')} }} }}"


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
