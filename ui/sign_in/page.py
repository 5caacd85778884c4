"""The page of a form: plain HTML that works without scripts."""

from __future__ import annotations

from html import escape
from urllib.parse import quote

from starlette.responses import HTMLResponse

from ui.shell import appearance

_PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} · Agent Playground</title>
<link rel="icon" href="{icon}">
<style>{style}</style>
</head>
<body class="narrow">
<main>
<h1>{title}</h1>
{content}
</main>
</body>
</html>
"""
FOCUS = " autofocus"
NOTICE = '<p class="notice" role="alert">{problem}</p>'
BACK = '<p><a href="{there}">Sign in</a></p>'
PROVIDER = '<p><a class="main" href="{there}">Sign in with {host}</a></p>'
LOGIN = """\
<form method="post" action="{action}">
<label>Name
<input name="name" value="{name}" autocomplete="username" autocapitalize="none" spellcheck="false" required autofocus>
</label>
<label>Password<input name="password" type="password" autocomplete="current-password" required></label>
<button class="main">Sign in</button>
</form>"""
BY_PROXY = """\
<p>The proxy in front of this playground signs you in. It has not said who you are, or your account here is disabled: ask who
runs it.</p>"""
BY_INVITATION = """\
<p>Only invited users get in. Open the link of your invitation, or <a href="invitation">join with its code</a>.</p>
<p class="quiet">Is it your playground? Open the owner's link, which was printed when it started.</p>"""
TO_CODE = '<p class="quiet">Do you have a code? <a href="invitation">Join with it</a>.</p>'
INVITED = "<p>You are invited with the role {role}.</p>"
BACK_IN = "<p>This signs your browser in as {name}.</p>"
OTHER = '<p class="quiet">You are {name} now. The code signs you in as another user.</p>'
CODE = """\
<form method="post" action="invitation">
<label>Code
<input name="code" value="{code}" class="code" autocomplete="off" autocapitalize="characters" spellcheck="false"
required{focus}>
</label>"""
NAME = '<label>Your name<input name="name" value="{name}" autocomplete="name" maxlength="60" required{focus}></label>'
SEND = '<button class="main">{action}</button></form>'
SIGN_OUT = """\
<p>You are signed in as <strong>{name}</strong>, with the role {role}.</p>
<form method="post" action="sign-out"><button class="main">Sign out</button></form>
<p><a href="./">Open the playground</a></p>"""


def filled(template: str, **values: str) -> str:
    """A part of a page. The values are text; nothing in them becomes markup."""
    return template.format(**{name: escape(value) for name, value in values.items()})


def page(title: str, content: str, *, problem: str = "", status: int = 200) -> HTMLResponse:
    """A page.

    Args:
        title: Its heading.
        content: HTML below it.
        problem: Why what was sent before was not taken.
        status: The status of the answer.
    """
    notice = filled(NOTICE, problem=problem) if problem else ""
    head = {"title": escape(title), "icon": appearance.icon(), "style": appearance.light_style()}
    text = _PAGE.format(**head, content=notice + content)
    return HTMLResponse(text, status_code=status, headers={"Cache-Control": "no-store"})


def inside(wanted: str) -> str:
    """Where to go after the sign-in: a path of this app, with its query; never another site."""
    path = "/" + wanted.lstrip("/\\")
    return path if path.isprintable() and "\\" not in path else "/"


def with_next(path: str, wanted: str) -> str:
    """A path of the page with where to go afterwards."""
    there = inside(wanted)
    return path if there == "/" else f"{path}?next={quote(there, safe='/')}"
