"""A trusted proxy says who asks; nobody else does."""

from __future__ import annotations

import pytest

from agents import PersonError
from agents.access import OWNER, Role
from tests.ui.sign_in.conftest import REMOTE
from ui.access.guard import Reach
from ui.access.ways_in import WaysIn, configured
from ui.sign_in import attempts

PROXY = ("10.0.0.7", 4000)
REACH = Reach(names=frozenset({"play.example.org"}))


@pytest.fixture
def ways(monkeypatch) -> WaysIn:
    monkeypatch.setenv("PLAYGROUND_TRUSTED_PROXY", "10.0.0.0/24, ::1")
    monkeypatch.setenv("PLAYGROUND_USER_HEADER", "X-Remote-User")
    return configured()


def test_whom_the_proxy_names_is_signed_in_with_an_account(place, ways):
    there = place(ways, reach=REACH)
    client = there.browser("http://play.example.org", PROXY)
    told = client.get("/who", headers={"X-Remote-User": "ann@example.org", "X-Forwarded-For": "203.0.113.9"}).json()
    again = client.get("/who", headers={"X-Remote-User": "ann@example.org"}).json()
    assert (told["role"], told["id"]) == ("user", again["id"])
    assert "x-remote-user" not in told["headers"]
    assert client.get("/who", headers={"X-Remote-User": "bob"}).json()["id"] != told["id"]
    assert [account.name for account in there.accounts.all(OWNER)] == ["ann@example.org", "bob"]


def test_a_name_in_another_script_is_read_as_the_proxy_wrote_it(place, ways):
    there = place(ways, reach=REACH)
    there.browser("http://play.example.org", PROXY).get("/who", headers={"X-Remote-User": "山田".encode()})
    assert there.accounts.all(OWNER)[0].name == "山田"


@pytest.mark.parametrize("peer", [REMOTE, ("127.0.0.1", 1), ("10.0.1.7", 1), ("testclient", 1)])
@pytest.mark.parametrize("name", ["X-Remote-User", "x_remote_user", "X-REMOTE-USER"])
def test_anybody_elses_header_is_removed_and_counts_nothing(place, ways, peer, name):
    there = place(ways, reach=REACH)
    client = there.browser("http://play.example.org", peer)
    headers = {name: "ann", "X-Forwarded-For": "10.0.0.7", "X-Real-IP": "10.0.0.7"}
    assert client.get("/who", headers=headers).status_code == 401
    client.post("/invitation", data={"code": there.accounts.invite(OWNER, Role.USER)[1], "name": "Bea"})
    told = client.get("/who", headers=headers).json()
    assert there.accounts.account(told["id"]).name == "Bea"
    assert name.lower() not in told["headers"]


@pytest.mark.parametrize("headers", [{}, {"X-Remote-User": ""}, {"X-Remote-User": "a" * 300}, {"X-Remote-User": "a\x07"}])
def test_without_a_name_the_proxys_requests_are_a_strangers(place, ways, headers):
    client = place(ways, reach=REACH).browser("http://play.example.org", PROXY)
    assert client.get("/who", headers=headers).status_code == 401


def test_two_names_at_once_are_none(place, ways):
    client = place(ways, reach=REACH).browser("http://play.example.org", PROXY)
    assert client.get("/who", headers=[("X-Remote-User", "ann"), ("X-Remote-User", "bob")]).status_code == 401


def test_a_disabled_account_is_a_strangers_through_the_proxy_too(place, ways):
    there = place(ways, reach=REACH)
    client = there.browser("http://play.example.org", PROXY)
    account = client.get("/who", headers={"X-Remote-User": "ann"}).json()["id"]
    there.accounts.disable(OWNER, account)
    assert client.get("/who", headers={"X-Remote-User": "ann"}).status_code == 401


def test_failures_behind_the_proxy_count_for_the_browsers_address(place, ways, users, monkeypatch):
    monkeypatch.setitem(attempts.MOST_FAILED, "address", 1)
    there = place(WaysIn(users, proxy=ways.proxy), reach=REACH)

    def tried(address: str, claimed: str = "1.1.1.1") -> int:
        client = there.browser("http://play.example.org", PROXY)
        headers = {"X-Forwarded-For": f"{claimed}, {address}"}
        return client.post("/sign-in", data={"name": address, "password": "wrong"}, headers=headers).status_code

    assert [tried("8.8.8.8"), tried("8.8.8.8", "2.2.2.2"), tried("9.9.9.9")] == [403, 429, 403]


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        ({"PLAYGROUND_USER_HEADER": "X-User"}, "needs both"),
        ({"PLAYGROUND_TRUSTED_PROXY": "10.0.0.1"}, "needs both"),
        ({"PLAYGROUND_TRUSTED_PROXY": "proxy.example.org", "PLAYGROUND_USER_HEADER": "X-User"}, "addresses and networks"),
        ({"PLAYGROUND_ROLE": "boss"}, "is one of owner"),
        ({"PLAYGROUND_OIDC_ISSUER": "https://id.example.org"}, "CLIENT_ID"),
        ({"PLAYGROUND_OIDC_ISSUER": "http://id.example.org", "PLAYGROUND_OIDC_CLIENT_ID": "x"}, "https"),
        (
            {
                "PLAYGROUND_OIDC_ISSUER": "https://id.example.org",
                "PLAYGROUND_OIDC_CLIENT_ID": "x",
                "PLAYGROUND_OIDC_ROLES": "staff=boss",
            },
            "not 'boss'",
        ),
        ({"PLAYGROUND_USERS": "/no/such/file"}, "cannot be read"),
    ],
)
def test_what_is_told_wrongly_says_what_and_what_to_do(monkeypatch, variables, said):
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(PersonError, match=said):
        configured()
