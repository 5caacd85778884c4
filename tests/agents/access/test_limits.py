"""The file of limits."""

from __future__ import annotations

import pytest

from agents.access.limits import LIMITS, Limits, reached, read_limits
from agents.errors import LimitReachedError, PersonError


def limits_of(tmp_path, text: str) -> Limits:
    file = tmp_path / "limits.toml"
    file.write_text(text, "utf-8")
    return read_limits(file)


def test_what_a_file_does_not_name_has_its_default(tmp_path):
    found = limits_of(
        tmp_path, '[user]\nruns = 4\nstorage = "2 GB"\ntokens = "unlimited"\ncost = 5\n[workspace]\ncost = 0.5\n'
    )
    assert (found.user.runs, found.user.storage, found.user.tokens, found.user.cost) == (4, 2 * 10**9, None, 5.0)
    assert found.user.sessions == Limits().user.sessions
    assert (found.workspace.cost, found.workspace.runs) == (0.5, Limits().workspace.runs)
    assert limits_of(tmp_path, "") == Limits()
    assert limits_of(tmp_path, "[user]\nruns = 0").user.runs == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[user]\nrun = 4", "user.run is not known: the limits are runs, waiting"),
        ("[users]\nruns = 4", "users is not known: the tables are user and workspace"),
        ("[user]\nruns = -1", "user.runs: Input should be greater than or equal to 0"),
        ("[user]\nruns = 1.5", 'user.runs takes a whole number or "unlimited"'),
        ("[user]\nruns = true", 'user.runs takes a whole number or "unlimited"'),
        ('[user]\nruns = "many"', 'user.runs takes a whole number or "unlimited"'),
        ('[user]\nstorage = "2 gigs"', 'user.storage: write bytes as a number, or e.g. "500 MB"'),
        ('[user]\nstorage = "9999999999 GB"', "user.storage: write bytes"),
        ('[user]\nstorage = "٣ GB"', "user.storage: write bytes"),
        ("[user]\ncost = nan", "user.cost: Input should be a finite number"),
        ("[user]\ncost = inf", "user.cost: Input should be a finite number"),
        ("user = 4", "user: Input should be a valid dictionary"),
        ("[user", "Expected ']' at the end of a table"),
    ],
)
def test_a_wrong_file_is_told_where(tmp_path, text, said):
    with pytest.raises(PersonError) as raised:
        limits_of(tmp_path, text)
    assert said in str(raised.value)
    assert "limits.toml is no file of limits" in str(raised.value)


def test_a_file_that_cannot_be_read(tmp_path):
    with pytest.raises(PersonError, match="cannot be read: No such file"):
        read_limits(tmp_path / "none.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(PersonError, match="no file of limits"):
        read_limits(tmp_path / "bytes.toml")


def test_an_error_says_which_limit_how_much_and_when():
    error = reached("tokens", 12, 10, shown=("12", "10"), seconds=3 * 3600 + 1200)
    assert str(error) == (
        "You have used 12 of 10 tokens a day: that is the limit 'tokens'. It is free again at 00:00 UTC, in 3 h 20 min. "
        "The owner can raise the limit."
    )
    assert (error.limit, error.used, error.most, error.retry_after, error.code) == (
        "tokens",
        12,
        10,
        12_000,
        "LIMIT_REACHED",
    )
    assert isinstance(error, LimitReachedError)
    all_of_them = str(reached("runs", 3, 3, of_all=True, shown=("3", "3")))
    assert all_of_them.startswith("All users together have used 3 of 3 runs at once")
    for limit in LIMITS:
        assert str(reached(limit, 1, 1, shown=("1", "1"), seconds=None)).endswith(".")
