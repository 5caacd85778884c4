"""Sign-in by an OpenID provider: the code flow of OpenID Connect Core 1.0 with state and nonce, and PKCE (RFC 7636)."""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

from agents import PersonError
from agents.access import ROLES, Role

INSTALL = "uv sync --extra oidc"
ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]
"""Of ID tokens: those by which only the provider can sign."""
LEEWAY = 60
"""Seconds by which its clock may differ."""
TIMEOUT = 10
KNOWN_SECONDS = 3600.0
"""How long its addresses and keys are known."""


class OpenIdError(PersonError):
    """A sign-in by the provider has failed."""


@dataclass(frozen=True, slots=True)
class Begun:
    """A sign-in that a browser has begun: what its cookie holds until the provider sends it back.

    Attributes:
        state: Comes back with the browser.
        nonce: Comes back in the ID token.
        verifier: Proves that who asks for the token has begun the sign-in.
        next: Where the browser wanted to go.
    """

    state: str
    nonce: str
    verifier: str
    next: str


@dataclass(frozen=True, slots=True)
class Identified:
    """Whom the provider has identified.

    Attributes:
        subject: What the provider calls them.
        name: What to show them as.
        role: What the provider's claim makes them; None if it says nothing.
    """

    subject: str
    name: str
    role: Role | None


@dataclass(slots=True, kw_only=True)
class OpenId:
    """An OpenID provider, for any thread.

    Attributes:
        issuer: Its URL.
        client_id: What it calls this playground.
        client_secret: What it gave to this playground; "" for none.
        scope: What it is asked to tell.
        domains: Those of e-mail addresses that may sign in; empty for all. The provider must have verified the address.
        role_claim: The claim that tells a role; "" if none does.
        roles: A value of that claim → role; of several that match, the first one here.
    """

    issuer: str
    client_id: str
    client_secret: str = ""
    scope: str = "openid profile email"
    domains: frozenset[str] = frozenset()
    role_claim: str = ""
    roles: Mapping[str, Role] = field(default_factory=dict[str, Role])
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _known: tuple[float, dict[str, Any], Any] | None = None

    @property
    def host(self) -> str:
        """The provider's name for users."""
        return urlsplit(self.issuer).hostname or self.issuer

    def begin(self, redirect: str, then: str) -> tuple[str, Begun]:
        """Begins a sign-in; returns the provider's address for the browser, and what to keep until it is back.

        Args:
            redirect: The address to which the provider sends the browser back.
            then: Where the browser wants to go.

        Raises:
            OpenIdError: The provider cannot be asked.
        """
        begun = Begun(secrets.token_urlsafe(24), secrets.token_urlsafe(24), secrets.token_urlsafe(48), then)
        with self._session(redirect) as session:
            metadata, _ = self._provider(session)
            url, _ = session.create_authorization_url(
                metadata["authorization_endpoint"], state=begun.state, code_verifier=begun.verifier, nonce=begun.nonce
            )
        return url, begun

    def finish(self, begun: Begun, redirect: str, back: Mapping[str, str]) -> Identified:
        """Finishes a sign-in: asks the provider for the ID token, and checks it.

        Args:
            begun: What `begin` returned to this browser.
            redirect: The same address as in `begin`.
            back: The parameters with which the browser came back.

        Raises:
            OpenIdError: It is not the sign-in that was begun, the token is not right, or they may not sign in.
        """
        if not secrets.compare_digest(back.get("state", "").encode(), begun.state.encode()):
            raise OpenIdError("This is not the sign-in that this browser has begun. Sign in again.")
        if back.get("iss", self.issuer) != self.issuer:  # RFC 9207
            raise OpenIdError("Another provider has sent the browser back. Sign in again.")
        if "error" in back or not back.get("code"):
            raise OpenIdError(f"{self.host} has not signed you in: {back.get('error', 'it gave no code')[:200]}.")
        with self._session(redirect) as session:
            return self._identified(self._claims(session, begun, back["code"]))

    def _claims(self, session: Any, begun: Begun, code: str) -> dict[str, Any]:
        from authlib.integrations.base_client import OAuthError
        from authlib.oidc.core import CodeIDToken
        from joserfc import jwt
        from joserfc.errors import JoseError

        metadata, keys = self._provider(session)
        try:
            token: Any = session.fetch_token(metadata["token_endpoint"], code=code, code_verifier=begun.verifier)
            try:
                found = jwt.decode(str(token.get("id_token", "")), keys, algorithms=ALGORITHMS)
            except (JoseError, ValueError):  # perhaps the provider has new keys
                metadata, keys = self._provider(session, anew=True)
                found = jwt.decode(str(token.get("id_token", "")), keys, algorithms=ALGORITHMS)
            options: Any = {
                "iss": {"essential": True, "value": self.issuer},
                "aud": {"essential": True, "value": self.client_id},
            }
            params = {"nonce": begun.nonce, "client_id": self.client_id, "access_token": token.get("access_token")}
            claims = CodeIDToken(found.claims, found.header, options, params)
            claims.validate(leeway=LEEWAY)
            told = dict(claims)
            if "userinfo_endpoint" in metadata and not {"name", "email"} <= told.keys():
                more = _json(session.get(metadata["userinfo_endpoint"], allow_redirects=False))
                told = {**more, **told} if more.get("sub") == told["sub"] else told
        except (JoseError, OAuthError, ValueError, OSError) as error:
            raise OpenIdError(f"{self.host} has not signed you in: {_said(error)}. Sign in again.") from error
        return told

    def _identified(self, told: Mapping[str, Any]) -> Identified:
        mail = str(told.get("email", ""))
        if self.domains and not (told.get("email_verified") is True and mail.rpartition("@")[2].lower() in self.domains):
            raise OpenIdError(
                f"Only verified e-mail addresses of {', '.join(sorted(self.domains))} may sign in here. "
                "Use such an account, or ask the owner."
            )
        values: Any = told.get(self.role_claim, [])
        values = {str(value) for value in (values if isinstance(values, list) else [values])}
        role = next((role for value, role in self.roles.items() if value in values), None)
        name = told.get("name") or told.get("preferred_username") or mail or told["sub"]
        return Identified(str(told["sub"]), str(name), role)

    def _session(self, redirect: str) -> Any:
        try:
            from authlib.integrations.requests_client import OAuth2Session
        except ImportError as error:
            raise OpenIdError(f"Sign-in by an OpenID provider needs Authlib. Install it with: {INSTALL}") from error
        return OAuth2Session(
            self.client_id,
            self.client_secret or None,
            token_endpoint_auth_method=None if self.client_secret else "none",
            scope=self.scope,
            redirect_uri=redirect,
            code_challenge_method="S256",
            default_timeout=TIMEOUT,
        )

    def _provider(self, session: Any, *, anew: bool = False) -> tuple[dict[str, Any], Any]:
        """The provider's description of itself, and its keys."""
        from joserfc.jwk import KeySet

        with self._lock:
            if self._known is None or anew or monotonic() - self._known[0] > KNOWN_SECONDS:
                try:
                    where = f"{self.issuer.rstrip('/')}/.well-known/openid-configuration"
                    told = _json(session.get(where, withhold_token=True, allow_redirects=False))
                    if told.get("issuer") != self.issuer:
                        raise ValueError(f"it calls itself {str(told.get('issuer'))[:200]!r}")  # noqa: TRY301
                    keys = _json(session.get(told["jwks_uri"], withhold_token=True, allow_redirects=False))
                    self._known = monotonic(), told, KeySet.import_key_set(keys)  # pyright: ignore[reportArgumentType]
                except (OSError, ValueError, KeyError) as error:
                    raise OpenIdError(f"The OpenID provider {self.issuer} cannot be asked: {_said(error)}.") from error
            return self._known[1], self._known[2]


def openid_of(told: Mapping[str, Any]) -> OpenId:
    """The provider that settings describe: of the environment, or of the table `openid` in a users' file.

    Raises:
        PersonError: They are not complete, or not right.
    """
    issuer, client_id = str(told.get("issuer", "")), str(told.get("client_id", ""))
    parts = urlsplit(issuer)
    if not client_id or parts.scheme not in {"http", "https"} or not parts.hostname:
        raise PersonError(
            "An OpenID provider needs PLAYGROUND_OIDC_ISSUER, its URL, and PLAYGROUND_OIDC_CLIENT_ID; or issuer and "
            "client_id in the table [openid] of the users' file."
        )
    if parts.scheme == "http" and parts.hostname not in {"localhost", "127.0.0.1", "::1"}:
        raise PersonError(f"The OpenID provider {issuer} has to use https: what it says is trusted.")
    domains = told.get("domains", [])
    domains = domains.replace(",", " ").split() if isinstance(domains, str) else domains
    return OpenId(
        issuer=issuer,
        client_id=client_id,
        client_secret=str(told.get("client_secret", "")),
        scope=str(told.get("scope", "openid profile email")),
        domains=frozenset(str(domain).lower().lstrip("@") for domain in domains),
        role_claim=str(told.get("role_claim", "")),
        roles=_roles(told.get("roles", {})),
    )


def _roles(told: Any) -> dict[str, Role]:
    """The roles by claim values, also as `value=role, value=role`."""
    if isinstance(told, str):
        told = {value: role for value, _, role in (part.partition("=") for part in told.split(","))}
    found = {str(value).strip(): str(role).strip() for value, role in told.items()}
    if wrong := sorted(set(found.values()) - set(ROLES)):
        raise PersonError(f"A claim of an OpenID provider gives one of the roles {', '.join(ROLES)}, not {wrong[0]!r}.")
    return {value: Role(role) for value, role in found.items()}


def _json(answer: Any) -> dict[str, Any]:
    if answer.status_code != 200:  # noqa: PLR2004
        raise ValueError(f"it answered {answer.status_code}")
    found = json.loads(answer.text)
    if not isinstance(found, dict):
        raise ValueError("it did not answer with an object")  # noqa: TRY004  as text that is no JSON
    return found


def _said(error: Exception) -> str:
    """What went wrong, without what may hold a token."""
    if isinstance(error, ValueError):
        return str(error).rstrip(".")[:200]
    return getattr(error, "error", "") or type(error).__name__
