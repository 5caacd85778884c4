"""The routes of those who are not signed in: `/sign-in`, also by an OpenID provider, `/invitation` and `/sign-out`."""

from __future__ import annotations

import base64
import json
from collections.abc import Awaitable, Callable
from dataclasses import asdict, replace
from math import ceil
from time import time
from typing import Any
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from agents import DatabaseError, PersonError, PlaygroundError
from agents.access import ISSUER, Account, Accounts, Activity, User
from ui.access import identity, sign_ins
from ui.access.guard import public_url
from ui.access.openid import Begun, OpenIdError
from ui.access.refusals import INVITATION, NOBODY, SIGN_IN, SIGN_OUT
from ui.access.ways_in import WaysIn
from ui.sign_in import page as drawn
from ui.sign_in.attempts import Attempts
from ui.web.base_path import base_path
from ui.web.threads import in_thread

LONGEST_FORM = 20_000
"""Bytes."""
_BEGUN, _BEGUN_SECONDS = "playground_openid", 600
_WRONG = "This name and password are not right, or the account is disabled."


class SignIn:
    """The pages, and what their forms do.

    Args:
        accounts: Returns the accounts, from any thread; it may raise `PlaygroundError`.
        ways: Returns the ways in; it may raise `PlaygroundError`.
    """

    def __init__(self, accounts: Callable[[], Accounts], ways: Callable[[], WaysIn]) -> None:
        self._accounts, self._ways, self._attempts = accounts, ways, Attempts()

    def routes(self) -> list[Route]:
        """Their routes."""
        return [
            Route(SIGN_IN, self._answering(self._show, self._check), methods=["GET", "POST"]),
            Route(f"{SIGN_IN}/openid", self._answering(self._begin)),
            Route(f"{SIGN_IN}/back", self._answering(self._finish)),
            Route(INVITATION, self._answering(self._show_invitation, self._redeem), methods=["GET", "POST"]),
            Route(SIGN_OUT, self._answering(self._show, self._sign_out), methods=["GET", "POST"]),
        ]

    def _answering(
        self, get: Callable[[Request], Awaitable[Response]], post: Callable[[Request], Awaitable[Response]] | None = None
    ) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            try:
                return await (post if post is not None and request.method == "POST" else get)(request)
            except PlaygroundError as error:
                back = drawn.filled(drawn.BACK, there=base_path() + SIGN_IN)
                status = 503 if isinstance(error, DatabaseError) else 403
                return drawn.page("Sign in", back, problem=str(error), status=status)

        return answer

    async def _show(self, request: Request, *, name: str = "", problem: str = "", status: int = 200) -> Response:
        account = identity.account()
        if account is not None and not problem:
            return drawn.page("Signed in", drawn.filled(drawn.SIGN_OUT, name=account.name, role=account.role))
        ways, wanted = self._ways(), request.query_params.get("next", "")
        parts: list[str] = []
        if ways.openid is not None:
            there = drawn.with_next("sign-in/openid", wanted)
            parts.append(drawn.filled(drawn.PROVIDER, there=there, host=ways.openid.host))
        if ways.users is not None:
            parts.append(drawn.filled(drawn.LOGIN, action=drawn.with_next("sign-in", wanted), name=name))
        if ways.proxy is not None and not parts:
            parts.append(drawn.BY_PROXY)
        parts.append(drawn.TO_CODE if parts else drawn.BY_INVITATION)
        return drawn.page("Sign in", "\n".join(parts), problem=problem, status=status)

    async def _check(self, request: Request) -> Response:
        """Checks name and password."""
        told, ways = await _form(request), self._ways()
        if ways.users is None:
            raise PersonError("This playground has no users' file, so nobody signs in with a password.")
        name, password = told.get("name", ""), told.get("password", "")
        keys = {"name": name.strip().casefold()[:100], "address": ways.client_address(request)}
        if refused := await self._refused(request, **keys):
            return refused
        login = await in_thread(ways.users.check, name, password)
        if login is None:
            await self._record(request, NOBODY, "with a wrong name or password", ok=False)
            return await self._show(request, name=name, problem=_WRONG, status=403)
        self._attempts.passed(**keys)

        def account() -> Account:
            return self._accounts().sign_in(ISSUER, login.name, name=login.name, role=login.role, is_managed=True)

        return await self._let_in(request, await in_thread(account), request.query_params.get("next", ""))

    async def _begin(self, request: Request) -> Response:
        """Sends the browser to the OpenID provider."""
        if (openid := self._ways().openid) is None:
            raise OpenIdError("This playground knows no OpenID provider.")
        url, begun = await in_thread(openid.begin, _back(request), drawn.inside(request.query_params.get("next", "")))
        told = base64.urlsafe_b64encode(json.dumps([int(time()) + _BEGUN_SECONDS, asdict(begun)]).encode()).decode()
        answer = RedirectResponse(url, status_code=303)
        signature = sign_ins.signed(told, "openid")
        secure = sign_ins.is_https(request)
        answer.set_cookie(
            _BEGUN, f"{told}.{signature}", max_age=_BEGUN_SECONDS, httponly=True, samesite="lax", secure=secure
        )
        return answer

    async def _finish(self, request: Request) -> Response:
        """Takes the browser back from the OpenID provider."""
        ways, begun = self._ways(), _begun(request)
        if (openid := ways.openid) is None or begun is None:
            raise OpenIdError("This browser has begun no sign-in, or more than ten minutes ago. Sign in again.")
        found = await in_thread(openid.finish, begun, _back(request), dict(request.query_params))
        role, is_managed = found.role or ways.new_role, bool(openid.roles)

        def account() -> Account:
            return self._accounts().sign_in(openid.issuer, found.subject, name=found.name, role=role, is_managed=is_managed)

        answer = await self._let_in(request, await in_thread(account), begun.next)
        answer.delete_cookie(_BEGUN)
        return answer

    async def _show_invitation(self, request: Request) -> Response:
        return await self._invitation(request, request.query_params.get("code", ""))

    async def _invitation(self, request: Request, code: str, *, name: str = "", problem: str = "") -> Response:
        found = await in_thread(lambda: self._accounts().invitation(code)) if code else None
        known = self._accounts().account(found.account) if found is not None and found.account else None
        at_code, at_name = (drawn.FOCUS, "") if found is None else ("", drawn.FOCUS)
        parts: list[str] = []
        if known is not None:
            parts.append(drawn.filled(drawn.BACK_IN, name=known.name))
        elif found is not None:
            parts.append(drawn.filled(drawn.INVITED, role=found.role))
        if (account := identity.account()) is not None and known is None:
            parts.append(drawn.filled(drawn.OTHER, name=account.name))
        parts.append(drawn.filled(drawn.CODE, code=code[:100], focus=at_code))
        if known is None:
            parts.append(drawn.filled(drawn.NAME, name=name, focus=at_name))
        title = "Join" if known is None else "Sign in"
        content = "\n".join([*parts, drawn.filled(drawn.SEND, action=title)])
        return drawn.page(title, content, problem=problem, status=403 if problem else 200)

    async def _redeem(self, request: Request) -> Response:
        """Uses an invitation."""
        told = await _form(request)
        code, name = told.get("code", ""), told.get("name", "")
        keys = {"address": self._ways().client_address(request)}
        if refused := await self._refused(request, **keys):
            return refused
        try:
            account = await in_thread(lambda: self._accounts().redeem(code, name))
        except DatabaseError:
            raise
        except PersonError as error:
            await self._record(request, NOBODY, "with a code that is not valid", ok=False)
            return await self._invitation(request, code, name=name, problem=str(error))
        self._attempts.passed(**keys)
        return await self._let_in(request, account, "")

    async def _sign_out(self, request: Request) -> Response:
        answer = RedirectResponse(f"{base_path()}{SIGN_IN}", status_code=303)
        if (account := identity.account()) is not None:
            await self._record(request, account.user, account.name, what=Activity.SIGN_OUT)
        await _end(request)
        sign_ins.take(answer, request)
        return answer

    async def _refused(self, request: Request, **keys: str) -> Response | None:
        wait = self._attempts.wait(**keys)
        if not wait:
            return None
        said = f"Too many attempts have failed. Try again in {ceil(wait / 60)} minutes."
        answer = drawn.page("Sign in", "", problem=said, status=429)
        answer.headers["Retry-After"] = str(ceil(wait))
        return answer

    async def _record(
        self, request: Request, user: User, of: str, *, ok: bool = True, what: Activity = Activity.SIGN_IN
    ) -> None:
        """Adds to the audit list that somebody has signed in or out, or could not."""
        asking = replace(user, came_from=self._ways().client_address(request))
        await in_thread(lambda: self._accounts().record(asking, what, of, ok=ok))

    async def _let_in(self, request: Request, account: Account, wanted: str) -> Response:
        if account.is_disabled:
            await self._record(request, account.user, "to a disabled account", ok=False)
            raise PersonError(f"The account {account.name} is disabled. Ask the owner.")
        await _end(request)
        await self._record(request, account.user, account.name)
        answer = RedirectResponse(base_path() + drawn.inside(wanted), status_code=303)
        sign_ins.give(answer, account, request)
        return answer


async def _end(request: Request) -> None:
    """Ends the sign-in that the browser has, so that its old cookie is worth nothing."""
    if (known := sign_ins.told_by(request)) is not None:
        await in_thread(identity.sign_out, known)


async def _form(request: Request) -> dict[str, str]:
    """The fields of a form, each once.

    Raises:
        PersonError: It is longer than any form here.
    """
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > LONGEST_FORM:
            raise PersonError("This is longer than any form of this page.")
    found = parse_qs(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=20)
    return {name: values[0] for name, values in found.items()}


def _back(request: Request) -> str:
    """The address to which an OpenID provider sends the browser back."""
    scheme = "https" if sign_ins.is_https(request) else "http"
    return f"{public_url(request.headers.get('host'), scheme)}{SIGN_IN}/back"


def _begun(request: Request) -> Begun | None:
    """The sign-in that this browser has begun; None if there is none, it is over, or the cookie is not ours."""
    told, _, signature = request.cookies.get(_BEGUN, "").rpartition(".")
    if not told or not sign_ins.is_signed(told, "openid", signature):
        return None
    until, begun = _loaded(told)
    return Begun(**begun) if time() < until else None


def _loaded(told: str) -> tuple[int, dict[str, Any]]:
    until, begun = json.loads(base64.urlsafe_b64decode(told))
    return until, begun
