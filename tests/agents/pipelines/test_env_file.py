from __future__ import annotations

import pytest

from agents.pipelines.env_file import read_env


@pytest.mark.parametrize(
    ("text", "variables"),
    [
        ("A=1\nB = two words \n", {"A": "1", "B": "two words"}),
        ("# A=1\n\nexport A=1\nnothing\n1A=2\nA B=3\n", {"A": "1"}),
        ("A=x # why\nB=x#y\nC=# none\nD=\n", {"A": "x", "B": "x#y", "C": "", "D": ""}),
        ("A='x # y' # why\nB='a\\n'\n", {"A": "x # y", "B": "a\\n"}),
        (r'A="a\n\"b\" \\ \q"', {"A": 'a\n"b" \\ \\q'}),
        ('A="one\ntwo"\nB=3', {"A": "one\ntwo", "B": "3"}),
        ("A='never closed\nB=3", {"A": "never closed\nB=3"}),
        ("A=a=b\r\nB=${A}\r\n", {"A": "a=b", "B": "${A}"}),
        ("A=1\nA=2\n", {"A": "2"}),
        ("", {}),
    ],
)
def test_what_is_read(text, variables):
    assert read_env(text) == variables
