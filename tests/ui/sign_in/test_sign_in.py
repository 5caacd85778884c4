"""Signing in: by a password, by an invitation; what a cookie is worth, and what ends it."""

from __future__ import annotations

import re

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from agents import DatabaseError, NotPermittedError
from agents.access import OWNER, Accounts, Action, Login, Role, TokenScope, UsersFile, hashed, permits
from agents.storage.memory_journal import InMemoryJournal
from tests.ui.sign_in.conftest import PASSWORD, REMOTE, Place
from ui.access import owner_token, sign_ins
from ui.access.guard import Reach
from ui.access.ways_in import WaysIn
from ui.sign_in import attempts


def sign_in(client: TestClient, name: str = "ann", password: str = PASSWORD, path: str = "/sign-in", **headers: str):
    return client.post(path, data={"name": name, "password": password}, headers=headers)


def cookie(client: TestClient) -> tuple[str, str]:
    [(name, value)] = client.cookies.items()
    return name, value


@pytest.fixture
def signed_in(place, users):
    there = place(WaysIn(users))
    client = there.browser()
    assert sign_in(client).status_code == 303
    return there, client


# -- strangers


def test_where_only_invitations_lead_in_the_page_says_so_and_leads_to_the_code(place):
    there = place(WaysIn())
    there.accounts.invite(OWNER, Role.USER)
    page = there.browser().get("/sign-in").text
    assert "Only invited users get in." in page
    assert "owner's link" in page
    assert 'href="invitation"' in page
    assert "<form" not in page


@pytest.mark.parametrize("path", ["/who", "/", "/api/log", "/_stcore/health", "/components/x.js", "/no/such"])
def test_a_stranger_is_asked_to_sign_in_and_gets_nothing_else(place, users, path):
    client = place(WaysIn(users)).browser()
    answer = client.get(path, headers={"Accept": "text/html"})
    assert (answer.status_code, "sign-in?next=" in answer.headers["location"]) == (303, True)
    assert client.get(path).status_code == 401
    assert "set-cookie" not in answer.headers


def test_a_strangers_socket_is_refused(place, users):
    with pytest.raises(WebSocketDisconnect), place(WaysIn(users)).browser().websocket_connect("ws://127.0.0.1/api/log"):
        pass


def test_where_ways_in_are_configured_nobody_is_the_owner_by_address(place, users):
    there = place(WaysIn(users), reach=Reach())
    assert there.browser(peer=("127.0.0.1", 4000)).get("/who").status_code == 401
    client = there.browser(peer=("127.0.0.1", 4000))
    client.cookies.set(owner_token.cookie_name(), owner_token.token())
    assert client.get("/who").json()["role"] == "owner"


def test_without_any_way_in_all_is_as_before(place):
    assert place(reach=Reach()).browser(peer=("127.0.0.1", 4000)).get("/who").json()["id"] == OWNER.id
    assert place().browser().get("/who").json()["role"] == "visitor"


def test_the_first_invitation_on_a_network_makes_visitors_strangers(place):
    there = place()
    there.accounts.invite(OWNER, Role.USER)
    assert there.browser().get("/who").status_code == 401
    alone = place(journal=there.journal, reach=Reach())
    assert alone.browser(peer=("127.0.0.1", 4000)).get("/who").json()["id"] == OWNER.id, "on loopback nothing changes"


def test_while_accounts_cannot_be_read_nobody_gets_in(place, users, monkeypatch):
    there = place(WaysIn(users))

    def locked(*_: object, **__: object):
        raise DatabaseError("The database is locked.")

    monkeypatch.setattr(there.journal, "entries", locked)
    answer = there.browser().get("/who")
    assert (answer.status_code, "locked" in answer.text) == (503, True)


# -- passwords


def test_the_page_is_a_form_that_a_password_manager_fills(place, users):
    text = place(WaysIn(users)).browser().get("/sign-in?next=/sessions%3Fa=1").text
    assert 'autocomplete="username"' in text
    assert 'autocomplete="current-password"' in text
    assert "<script" not in text
    assert 'action="sign-in?next=/sessions%3Fa%3D1"' in text


@pytest.mark.parametrize("name", ["山田 太郎", "山田　太郎", " 山田  太郎 "])
def test_a_user_of_the_file_signs_in_and_has_the_files_role(place, users, name):
    client = place(WaysIn(users)).browser()
    answer = sign_in(client, name, path="/sign-in?next=/sessions")
    assert (answer.status_code, answer.headers["location"]) == (303, "/sessions")
    told = client.get("/who").json()
    assert (told["id"].startswith("account-"), told["role"]) == (True, "author")


def test_an_unknown_name_gets_the_same_answer_as_a_wrong_password(place, users):
    client = place(WaysIn(users)).browser()
    wrong, unknown = sign_in(client, "ann", "wrong"), sign_in(client, "bob", "wrong")
    assert (wrong.status_code, unknown.status_code) == (403, 403)
    assert wrong.text.replace('value="ann"', "") == unknown.text.replace('value="bob"', "")
    assert client.get("/who").status_code == 401


def test_an_unknown_name_takes_the_same_work(users, monkeypatch):
    done: list[object] = []
    monkeypatch.setattr("agents.access.users_file._scrypt", lambda *given: done.append(given[2:]) or b"")
    users.put(Login(name="eve", role=Role.USER, password=users.find("ann").password.replace("$4$", "$15$")))
    users.check("eve", "wrong")
    users.check("nobody", "wrong")
    assert done[0] == done[1]


@pytest.mark.parametrize("keys", ["name", "address"])
def test_after_too_many_failures_nobody_is_asked_any_more(place, users, monkeypatch, keys):
    monkeypatch.setitem(attempts.MOST_FAILED, keys, 3)
    there = place(WaysIn(users))
    for number in range(3):
        sign_in(there.browser(), "ann" if keys == "name" else f"n{number}", "wrong")
    answer = sign_in(there.browser(), "ann")
    assert (answer.status_code, int(answer.headers["retry-after"]) > 0) == (429, True)
    other = there.browser(peer=("198.51.100.7", 1))
    assert sign_in(other, "山田 太郎").status_code == 303, "others are not held up"


def test_a_right_password_counts_as_no_failure(place, users, monkeypatch):
    monkeypatch.setitem(attempts.MOST_FAILED, "name", 2)
    there = place(WaysIn(users))
    assert [sign_in(there.browser()).status_code for _ in range(5)] == [303] * 5


def test_an_endless_form_is_refused(place, users):
    assert sign_in(place(WaysIn(users)).browser(), "a" * 30_000).status_code == 403


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", '"><img src=x>', "'\"&", "\x00", "\u202e" * 50])
def test_what_is_typed_is_shown_as_text(place, users, text):
    answer = sign_in(place(WaysIn(users)).browser(), text, "wrong")
    assert answer.status_code == 403
    assert not re.search(r"<script|<img", answer.text)


@pytest.mark.parametrize(
    ("wanted", "there"),
    [
        ("//evil.example", "/evil.example"),
        ("https://evil.example", "/https://evil.example"),
        ("/\\evil.example", "/evil.example"),
        ("\\\\evil.example", "/evil.example"),
        ("/a\\b", "/"),
        ("/a\r\nSet-Cookie: x=1", "/"),
        ("/\t/evil.example", "/"),
        ("", "/"),
        ("/sessions?a=1&b=2", "/sessions?a=1&b=2"),
    ],
)
def test_after_the_sign_in_nobody_is_sent_elsewhere(place, users, wanted, there):
    client = place(WaysIn(users)).browser()
    answer = client.post("/sign-in", params={"next": wanted}, data={"name": "ann", "password": PASSWORD})
    assert answer.headers["location"] == there


# -- cookies


def test_the_cookie_is_the_browsers_alone(signed_in):
    _, client = signed_in
    given = sign_in(client).headers["set-cookie"]
    assert {"HttpOnly", "SameSite=lax", "Path=/"} <= set(given.split("; "))


def test_over_https_the_cookie_is_for_https_and_this_host_alone(place, users):
    there = place(WaysIn(users), reach=Reach(names=frozenset({"play.example.org"})))
    client = there.browser("https://play.example.org")
    given = sign_in(client).headers["set-cookie"]
    assert given.startswith("__Host-")
    assert {"Secure", "Path=/"} <= set(given.split("; "))
    assert "domain" not in given.lower()
    name, value = cookie(client)
    plain = there.browser("http://play.example.org")
    assert plain.get("/who", headers={"Cookie": f"{name}={value}"}).status_code == 401, "not taken by plain HTTP"
    stolen = {"Cookie": f"{name.removeprefix('__Host-')}={value}"}
    neighbour = there.browser("https://play.example.org")
    assert neighbour.get("/who", headers=stolen).status_code == 401, "a neighbour can set this name"


def test_each_sign_in_has_a_new_id_and_ends_the_one_before(signed_in):
    there, client = signed_in
    name, before = cookie(client)
    sign_in(client)
    assert cookie(client)[1] != before
    fixed = there.browser()
    fixed.cookies.set(name, before)
    assert fixed.get("/who").status_code == 401


@pytest.mark.parametrize(
    "forge",
    [
        lambda value: value[:-1] + ("0" if value[-1] != "0" else "1"),
        lambda value: value.rpartition(".")[0],
        lambda value: value.replace("account-", "account-0", 1),
        lambda value: f"person.{value.partition('.')[2]}",
        lambda value: re.sub(r"\.(\d{10})\.", lambda found: f".{int(found[1]) + 1}.", value),
        lambda _: "....",
        lambda _: "é",
        lambda _: "",
    ],
)
def test_a_forged_cookie_signs_nobody_in(signed_in, forge):
    there, client = signed_in
    name, value = cookie(client)
    assert client.get("/who").status_code == 200
    header = {"Cookie": f"{name}={forge(value)}".encode("latin-1")}
    assert there.browser().get("/who", headers=header).status_code == 401


def test_a_cookie_ends(signed_in, monkeypatch):
    _, client = signed_in
    monkeypatch.setattr(sign_ins, "time", lambda: 4e9)
    assert client.get("/who").status_code == 401


def test_signed_out_is_signed_out_with_a_copy_of_the_cookie_too(signed_in):
    there, client = signed_in
    name, value = cookie(client)
    assert "Sign out" in client.get("/sign-out").text
    assert client.get("/who").status_code == 200, "GET changes nothing"
    assert client.post("/sign-out").status_code == 303
    assert not client.cookies
    thief = there.browser()
    thief.cookies.set(name, value)
    assert thief.get("/who").status_code == 401


@pytest.mark.parametrize("path", ["/sign-in", "/invitation", "/sign-out", "/_stcore/upload_file/a/b"])
@pytest.mark.parametrize(
    "headers", [{"Origin": "http://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}, {}]
)
def test_what_another_page_sends_changes_nothing(signed_in, path, headers):
    there, client = signed_in
    other = TestClient(there.app, base_url="http://127.0.0.1", client=REMOTE, cookies=client.cookies)
    method = "PUT" if "upload" in path else "POST"
    assert other.request(method, path, data={"name": "ann", "password": PASSWORD}, headers=headers).status_code == 403
    assert client.get("/who").status_code == 200


def test_two_servers_of_a_database_share_the_signing_key_and_the_accounts(place, users):
    one = place(WaysIn(users))
    key = one.accounts.signing_key("cookies")
    two = Accounts(one.journal, users_file=users, fresh=0)
    assert two.signing_key("cookies") == key != Accounts(InMemoryJournal()).signing_key("cookies")
    client = one.browser()
    sign_in(client)
    other = place(WaysIn(users), journal=one.journal).browser()
    other.cookies.update(client.cookies)
    assert other.get("/who").json()["id"] == client.get("/who").json()["id"]
    two.disable(OWNER, client.get("/who").json()["id"])
    assert other.get("/who").status_code == 401, "what one server writes holds on all"


# -- what ends it


def ends(how: str, there: Place, users: UsersFile, account: str) -> None:
    match how:
        case "disabled":
            there.accounts.disable(OWNER, account)
        case "signed out everywhere":
            there.accounts.sign_out_everywhere(OWNER, account)
        case "removed from the file":
            users.remove("ann")
        case "disabled in the file":
            users.put(Login(name="ann", role=Role.USER, password=users.find("ann").password, is_disabled=True))
        case "another password":
            users.put(Login(name="ann", role=Role.USER, password=hashed("another one")))


@pytest.mark.parametrize(
    "how", ["disabled", "signed out everywhere", "removed from the file", "disabled in the file", "another password"]
)
def test_an_account_that_ends_in_mid_session_gets_no_further(signed_in, users, how):
    there, client = signed_in
    account = client.get("/who").json()["id"]
    with client.websocket_connect("ws://127.0.0.1/api/log") as connection:
        connection.send_text("1")
        assert connection.receive_json() == {"id": account}
        ends(how, there, users, account)
        connection.send_text("2")
        with pytest.raises(WebSocketDisconnect) as ended:
            connection.receive_json()
    assert ended.value.code == 1008
    assert client.get("/who").status_code == 401


def test_a_disabled_account_does_not_sign_in_until_it_is_enabled(signed_in):
    there, client = signed_in
    account = client.get("/who").json()["id"]
    there.accounts.disable(OWNER, account)
    assert "disabled" in sign_in(client).text
    there.accounts.enable(OWNER, account)
    assert client.get("/who").status_code == 401, "the old cookie stays ended"
    assert sign_in(client).status_code == 303


def test_another_role_holds_at_the_next_message(signed_in, users):
    there, client = signed_in
    with client.websocket_connect("ws://127.0.0.1/api/log") as connection:
        users.put(Login(name="ann", role=Role.VIEWER, password=users.find("ann").password))
        connection.send_text("1")
        with pytest.raises(WebSocketDisconnect):
            connection.receive_json()
    assert client.get("/who").json()["role"] == "viewer"
    assert there.browser().get("/who").status_code == 401


# -- invitations


def join(client: TestClient, code: str, name: str = "Bea"):
    return client.post("/invitation", data={"code": code, "name": name})


def test_an_invitation_makes_an_account_with_its_role(place):
    there = place()
    _, code = there.accounts.invite(OWNER, Role.AUTHOR, name="the new one")
    client = there.browser()
    text = client.get(f"/invitation?code={code}").text
    assert "with the role author" in text
    assert client.get("/who").status_code == 401, "to look at it uses nothing"
    assert join(client, code.lower().replace("-", " ")).status_code == 303
    told = client.get("/who").json()
    assert (told["role"], there.accounts.account(told["id"]).name) == ("author", "Bea")


def test_an_invitation_is_used_as_often_as_it_says(place):
    there = place()
    _, code = there.accounts.invite(OWNER, Role.LEARNER, uses=2)
    answers = [join(there.browser(), code, f"n{number}").status_code for number in range(4)]
    assert answers == [303, 303, 403, 403]


@pytest.mark.parametrize("how", ["withdrawn", "over", "wrong", "of a disabled account"])
def test_an_invitation_that_is_none_is_refused(place, monkeypatch, how):
    there = place()
    invitation, code = there.accounts.invite(OWNER, Role.USER)
    match how:
        case "withdrawn":
            there.accounts.withdraw(OWNER, invitation.id)
        case "over":
            monkeypatch.setattr(there.accounts, "_now", lambda: invitation.until + 1)
        case "wrong":
            code = code[:-1] + ("2" if code[-1] != "2" else "3")
        case "of a disabled account":
            account = there.accounts.redeem(code, "Bea")
            _, code = there.accounts.invite(OWNER, Role.USER, account=account.id)
            there.accounts.disable(OWNER, account.id)
    client = there.browser()
    assert join(client, code).status_code == 403
    assert not any("account" in name for name in client.cookies)
    assert (client.get("/who").status_code == 200) is (how == "withdrawn"), "without any, strangers are visitors again"


def test_of_two_that_use_one_invitation_at_once_one_gets_in(place):
    there = place()
    _, code = there.accounts.invite(OWNER, Role.USER)
    other = Accounts(there.journal, fresh=1e9)
    other.refresh()  # it has read before the other one is in
    there.accounts.redeem(code, "Ann")
    with pytest.raises(Exception, match="used meanwhile"):
        other.redeem(code, "Bob")
    assert [account.name for account in there.accounts.all(OWNER)] == ["Ann"]


def test_a_new_link_leads_another_browser_into_the_same_account(place):
    there = place()
    _, code = there.accounts.invite(OWNER, Role.USER)
    one, two = there.browser(), there.browser()
    join(one, code)
    account = one.get("/who").json()["id"]
    _, again = there.accounts.invite(OWNER, Role.USER, account=account)
    assert "Your name" not in two.get(f"/invitation?code={again}").text
    join(two, again, "")
    assert two.get("/who").json()["id"] == account


def focused(page: str) -> list[str]:
    return re.findall(r'name="(\w+)"[^>]* autofocus>', page)


def test_the_first_field_that_is_left_to_fill_has_the_focus(place):
    there = place(WaysIn())
    _, code = there.accounts.invite(OWNER, Role.USER)
    client = there.browser()
    assert focused(client.get("/invitation").text) == ["code"]
    assert focused(client.get(f"/invitation?code={code}").text) == ["name"]
    assert focused(client.get("/invitation?code=WRONG").text) == ["code"]


def test_a_link_into_an_account_says_whose_it_is(place):
    there = place(WaysIn())
    ann = there.accounts.redeem(there.accounts.invite(OWNER, Role.USER)[1], "Ann <b>")
    _, code = there.accounts.invite(OWNER, Role.USER, account=ann.id)
    page = there.browser().get(f"/invitation?code={code}").text
    assert "This signs your browser in as Ann &lt;b&gt;." in page
    assert "Your name" not in page


@pytest.mark.parametrize("name", ["", "  ", "a" * 61, "a\u202eb"])
def test_a_name_that_is_none_is_asked_for_again_and_uses_nothing(place, name):
    there = place()
    _, code = there.accounts.invite(OWNER, Role.USER)
    assert "A name has 1 to 60" in join(there.browser(), code, name).text
    assert join(there.browser(), code).status_code == 303


# -- API tokens


def test_an_accounts_token_acts_for_it_and_ends_with_it(signed_in):
    there, client = signed_in
    account = client.get("/who").json()["id"]
    user = there.accounts.user(account)
    token, text = there.tokens.make(user, "editor", {TokenScope.ADMINISTER})
    program = TestClient(there.app, base_url="http://127.0.0.1", client=REMOTE, headers={"Authorization": f"Bearer {text}"})
    assert program.get("/v1/models").json()["id"] == account
    found = there.tokens.find(text, now=0)
    assert not permits(found.user, Action.CHANGE_SETTINGS), "a scope gives no right that the account lacks"
    assert [one.id for one in there.tokens.all(user)] == [token.id]
    there.accounts.disable(OWNER, account)
    assert program.get("/v1/models").status_code == 401
    there.accounts.enable(OWNER, account)
    assert program.get("/v1/models").status_code == 200
    there.tokens.revoke(user, token.id)
    assert program.get("/v1/models").status_code == 401


def test_nobody_sees_or_revokes_a_token_of_somebody_else(place):
    there = place()
    roles = (Role.USER, Role.USER, Role.VIEWER)
    ann, bob, eve = (there.accounts.redeem(there.accounts.invite(OWNER, role)[1], "x").user for role in roles)
    token, _ = there.tokens.make(ann, "editor", {TokenScope.RUN})
    assert there.tokens.all(bob) == []
    assert len(there.tokens.all(OWNER)) == 1
    for other in (bob, eve):
        with pytest.raises(NotPermittedError):
            there.tokens.revoke(other, token.id)
    with pytest.raises(NotPermittedError):
        there.tokens.make(eve, "editor", {TokenScope.READ})


def test_a_browsers_cookie_opens_no_path_of_programs(signed_in):
    _, client = signed_in
    assert client.post("/v1/models", json={}).status_code == 401
