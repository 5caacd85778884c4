"""Signing in by an OpenID provider: a real one in the process, and one that lies."""

from __future__ import annotations

import base64
import hmac
import json
import warnings
from collections.abc import Iterator
from time import time
from types import SimpleNamespace
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from joserfc import jwt
from joserfc.jwk import RSAKey

from agents import PersonError
from agents.access import OWNER, Role
from ui.access import openid as openid_module
from ui.access.openid import OpenId, OpenIdError, openid_of
from ui.access.ways_in import WaysIn

pytestmark = pytest.mark.filterwarnings("ignore:get_jwt_config:DeprecationWarning")  # the provider's, of its library

CLIENT = "playground"
ANN = {"email": "ann@example.org", "email_verified": True, "name": "Ann 山田", "groups": ["staff", "x"]}


@pytest.fixture(scope="module")
def issuer() -> Iterator[str]:
    with warnings.catch_warnings(record=True):  # it uses what its library gives up
        import oidc_provider_mock

    people = [
        oidc_provider_mock.User(sub="ann", claims=ANN),
        oidc_provider_mock.User(sub="bob", claims={"email": "bob@example.net", "email_verified": True}),
        oidc_provider_mock.User(sub="eve", claims={"email": "eve@example.org", "email_verified": False}),
    ]
    with oidc_provider_mock.run_server_in_thread(require_nonce=True, user_claims=people) as server:
        yield f"http://localhost:{server.server_port}"


def provider(issuer: str, **more: Any) -> OpenId:
    return openid_of({"issuer": issuer, "client_id": CLIENT, "client_secret": "its secret", **more})


def consent(url: str, subject: str) -> str:
    """What the browser does at the provider; the address that it is sent back to."""
    answer = httpx.post(url, data={"sub": subject}, follow_redirects=False)
    assert answer.status_code == 302, answer.text
    return answer.headers["location"]


def signed_in(place: Any, openid: OpenId, subject: str, path: str = "/sign-in/openid") -> tuple[Any, Any, Any]:
    there = place(WaysIn(openid=openid))
    client = there.browser()
    begun = client.get(path)
    assert begun.status_code == 303
    back = consent(begun.headers["location"], subject)
    assert back.startswith("http://127.0.0.1/sign-in/back?")
    return there, client, client.get(back)


def test_who_is_known_to_the_provider_is_signed_in(place, issuer):
    there, client, answer = signed_in(place, provider(issuer), "ann", "/sign-in/openid?next=/sessions%3Fa=1")
    assert (answer.status_code, answer.headers["location"]) == (303, "/sessions?a=1")
    told = client.get("/who").json()
    [account] = there.accounts.all(OWNER)
    assert (told["id"], account.name, account.issuer, account.role) == (account.id, "Ann 山田", issuer, Role.USER)
    assert all("account" in name for name in client.cookies), "what was begun is forgotten"


def test_the_request_is_the_code_flow_with_pkce_state_and_nonce(place, issuer):
    begun = place(WaysIn(openid=provider(issuer))).browser().get("/sign-in/openid")
    asked = {name: value for name, [value] in parse_qs(urlsplit(begun.headers["location"]).query).items()}
    assert (asked["response_type"], asked["code_challenge_method"], asked["client_id"]) == ("code", "S256", CLIENT)
    assert len({asked["state"], asked["nonce"], asked["code_challenge"]}) == 3
    assert "its secret" not in begun.headers["location"]
    assert {"HttpOnly", "SameSite=lax"} <= set(begun.headers["set-cookie"].split("; "))


def test_the_page_links_to_the_provider(place, issuer):
    text = place(WaysIn(openid=provider(issuer))).browser().get("/sign-in?next=/lab").text
    assert 'href="sign-in/openid?next=/lab"' in text
    assert "Sign in with localhost" in text


def test_a_claim_tells_the_role_at_each_sign_in(place, issuer):
    openid = provider(issuer, role_claim="groups", roles="admins=owner, staff=author")
    there, _, _ = signed_in(place, openid, "ann")
    [account] = there.accounts.all(OWNER)
    assert (account.role, account.is_managed) == (Role.AUTHOR, True)
    with pytest.raises(PersonError, match="Change it there"):
        there.accounts.change_role(OWNER, account.id, Role.VIEWER)


@pytest.mark.parametrize(("subject", "status"), [("ann", 303), ("bob", 403), ("eve", 403)])
def test_only_verified_addresses_of_the_domains_sign_in(place, issuer, subject, status):
    there, client, answer = signed_in(place, provider(issuer, domains="example.org"), subject)
    assert answer.status_code == status
    assert client.get("/who").status_code == (200 if status == 303 else 401)
    assert len(there.accounts.all(OWNER)) == (status == 303)


def test_a_disabled_account_stays_out(place, issuer):
    openid = provider(issuer)
    there, client, _ = signed_in(place, openid, "ann")
    there.accounts.disable(OWNER, client.get("/who").json()["id"])
    answer = client.get(consent(client.get("/sign-in/openid").headers["location"], "ann"))
    assert (answer.status_code, "is disabled" in answer.text) == (403, True)


# -- what is not right


def test_another_browser_cannot_use_what_the_provider_sent_back(place, issuer):
    there = place(WaysIn(openid=provider(issuer)))
    back = consent(there.browser().get("/sign-in/openid").headers["location"], "ann")
    victim = there.browser()
    assert victim.get(back).status_code == 403, "it has begun no sign-in"
    victim.get("/sign-in/openid")
    assert "has begun" in victim.get(back).text, "it has begun another one"
    assert victim.get("/who").status_code == 401


def test_a_code_is_used_once(place, issuer):
    there = place(WaysIn(openid=provider(issuer)))
    client = there.browser()
    back = consent(client.get("/sign-in/openid").headers["location"], "ann")
    begun = dict(client.cookies)
    assert client.get(back).status_code == 303
    again = there.browser()
    again.cookies.update(begun)
    assert again.get(back).status_code == 403


def test_a_cookie_of_a_sign_in_cannot_be_made_and_ends(place, issuer, monkeypatch):
    there = place(WaysIn(openid=provider(issuer)))
    client = there.browser()
    back = consent(client.get("/sign-in/openid").headers["location"], "ann")
    [(name, value)] = client.cookies.items()
    forger = there.browser()
    forger.cookies.set(name, value[:-1] + ("0" if value[-1] != "0" else "1"))
    assert forger.get(back).status_code == 403
    monkeypatch.setattr("ui.sign_in.routes.time", lambda: time() + 601)
    assert client.get(back).status_code == 403


@pytest.mark.parametrize(
    "query", ["error=access_denied&state={state}", "state={state}", "code=x&state={state}&iss=http://evil"]
)
def test_what_the_provider_refuses_is_said(place, issuer, query):
    there = place(WaysIn(openid=provider(issuer)))
    client = there.browser()
    state = parse_qs(urlsplit(client.get("/sign-in/openid").headers["location"]).query)["state"][0]
    answer = client.get("/sign-in/back?" + query.format(state=state))
    assert (answer.status_code, 'role="alert"' in answer.text) == (403, True)


def test_a_provider_that_does_not_answer_or_is_another_one_is_told(place, issuer):
    answer = place(WaysIn(openid=provider("http://localhost:9"))).browser().get("/sign-in/openid")
    assert (answer.status_code, "cannot be asked" in answer.text) == (403, True)
    answer = place(WaysIn(openid=provider(issuer.replace("localhost", "127.0.0.1") + "/"))).browser().get("/sign-in/openid")
    assert "cannot be asked" in answer.text


KEY, OTHERS = RSAKey.generate_key(2048, {"kid": "1"}), RSAKey.generate_key(2048, {"kid": "1"})


class Lying:
    """A session with a provider whose ID token is as a test says."""

    def __init__(self, token: str) -> None:
        self.token = token

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return

    def get(self, url: str, **_: object) -> SimpleNamespace:
        told = {"keys": [KEY.as_dict(private=False)]}
        if url.endswith("openid-configuration"):
            told = {
                "issuer": "https://id.example.org",
                "jwks_uri": "https://id.example.org/k",
                "token_endpoint": "https://t",
            }
        return SimpleNamespace(status_code=200, text=json.dumps(told))

    def fetch_token(self, *_: object, **__: object) -> dict[str, str]:
        return {"id_token": self.token, "access_token": "an access token"}


def finished(monkeypatch: pytest.MonkeyPatch, token: str) -> object:
    openid = openid_of({"issuer": "https://id.example.org", "client_id": CLIENT})
    monkeypatch.setattr(OpenId, "_session", lambda *_: Lying(token))
    begun = openid_module.Begun("the state", "the nonce", "the verifier", "/")
    return openid.finish(begun, "http://127.0.0.1/sign-in/back", {"state": "the state", "code": "c"})


def token_of(key: Any = KEY, alg: str = "RS256", **changed: Any) -> str:
    told = {"iss": "https://id.example.org", "sub": "ann", "aud": CLIENT, "nonce": "the nonce"}
    told |= {"iat": int(time()), "exp": int(time()) + 300} | changed
    claims = {name: value for name, value in told.items() if value is not None}
    return jwt.encode({"alg": alg, "kid": "1"}, claims, key, algorithms=[alg])


def test_a_right_token_is_taken(monkeypatch):
    assert finished(monkeypatch, token_of()).subject == "ann"


@pytest.mark.parametrize(
    "wrong",
    [
        {"nonce": "another"},
        {"nonce": None},
        {"iss": "https://evil.example.org"},
        {"aud": "another client"},
        {"aud": ["another client", CLIENT], "azp": "another client"},
        {"exp": 1_000_000},
        {"exp": None},
        {"iat": None},
        {"sub": None},
        {"nbf": 4_000_000_000},
        {"at_hash": "of another token"},
        {"key": OTHERS},
    ],
    ids="-".join,
)
def test_a_wrong_token_is_refused(monkeypatch, wrong):
    with pytest.raises(OpenIdError, match="has not signed you in"):
        finished(monkeypatch, token_of(**wrong))


def test_a_token_that_anybody_can_sign_is_refused(monkeypatch):
    head = base64.urlsafe_b64encode(b'{"alg":"HS256","kid":"1"}').decode().rstrip("=")
    text = f"{head}.{token_of().split('.')[1]}"
    mac = hmac.digest(KEY.as_pem(private=False), text.encode(), "sha256")
    by_the_public_key = f"{text}.{base64.urlsafe_b64encode(mac).decode().rstrip('=')}"
    unsigned = token_of().rpartition(".")[0] + "."
    for token in (unsigned, by_the_public_key, "", "a.b.c"):
        with pytest.raises(OpenIdError):
            finished(monkeypatch, token)
