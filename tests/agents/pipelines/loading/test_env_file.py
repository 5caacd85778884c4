"""What is read of a `.env` file."""

from __future__ import annotations

import codecs

import pytest

from agents.errors import PipelineLoadError
from agents.pipelines.loading.env_file import read_env


@pytest.mark.parametrize(
    ("text", "variables"),
    [
        ("A=1\nB = two words \n", {"A": "1", "B": "two words"}),
        ("# A=1\n\nexport A=1\nnothing\nA B=3\n", {"A": "1"}),
        ("A=x # why\nB=x#y\nC=\nD=''\n", {"A": "x", "B": "x#y", "C": "", "D": ""}),
        ("A='x # y' # why\nB='a\\n'\n", {"A": "x # y", "B": "a\\n"}),
        (r'A="a\n\"b\" \\"', {"A": 'a\n"b" \\'}),
        ('A="one\ntwo"\nB=3', {"A": "one\ntwo", "B": "3"}),
        ("A='never closed\nB=3", {"B": "3"}),
        ("A=1\nA=2\n", {"A": "2"}),
        ("HOST=h\nexport URL=http://${HOST}:${PORT_OF_MINE:-80}/\r\n", {"HOST": "h", "URL": "http://h:80/"}),
        ("A=${SHELL_OF_MINE}-${NOT_SET_OF_MINE}.\nB='${A}'\nC=$A\n", {"A": "shell-.", "B": "shell-.", "C": "$A"}),
        ("A=1\nB=${A}\nA=2\nC=${A}\nUNSET\nD=${UNSET}.\n", {"A": "2", "B": "1", "C": "2", "D": "."}),
        (f"A={'x' * 8190}\n" + "B=${A\n" * 99, {"A": "x" * 8190, "B": "${A"}),
        ("", {}),
    ],
)
def test_what_is_read(text, variables, tmp_path, monkeypatch):
    monkeypatch.setenv("SHELL_OF_MINE", "shell")
    (tmp_path / ".env").write_bytes(text.encode())
    assert read_env(tmp_path / ".env") == variables


@pytest.mark.parametrize(
    "content",
    [
        codecs.BOM_UTF8 + "A=Grüße\n".encode(),
        codecs.BOM_UTF16_LE + "A=Grüße\r\n".encode("utf-16-le"),
        codecs.BOM_UTF16_BE + "A=Grüße\r\n".encode("utf-16-be"),
        "A=Grüße # für alle\r\n".encode("cp1252"),
    ],
    ids=["UTF-8 with a mark", "PowerShell", "UTF-16, big end first", "Windows-1252"],
)
def test_encodings_of_windows_are_read(content, tmp_path):
    (tmp_path / ".env").write_bytes(content)
    assert read_env(tmp_path / ".env") == {"A": "Grüße"}


def test_no_file_and_a_folder_of_that_name_have_no_variables(tmp_path):
    assert read_env(tmp_path / ".env") == {}
    (tmp_path / ".env").mkdir()
    assert read_env(tmp_path / ".env") == {}


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("KEY=пароль-secret".encode("cp1251"), "is no text in UTF-8, UTF-16 or Windows-1252. Save it as UTF-8."),
        (b"KEY=secret\x81", "is no text in UTF-8"),
        (b"KEY=secret\0", "has a NUL character at 'KEY'"),
        (b"KEY=secret" + b"x" * 70_000, "It is larger than 65,536 bytes"),
    ],
)
def test_a_file_that_cannot_be_read_says_why_and_shows_nothing_of_it(content, says, tmp_path):
    (tmp_path / ".env").write_bytes(content)
    with pytest.raises(PipelineLoadError) as raised:
        read_env(tmp_path / ".env")
    assert says in str(raised.value)
    assert "secret" not in str(raised.value)


def test_a_line_that_cannot_be_read_is_warned_of_by_its_number_alone(tmp_path, caplog):
    (tmp_path / ".env").write_text("A=1\nKEY='secret\n")
    assert read_env(tmp_path / ".env") == {"A": "1"}
    assert "line 2" in caplog.text
    assert "secret" not in caplog.text


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("SECRET=" + "${" * 101, "has more than 100 times `${`. Write out some of the values."),
        ("A=${B}${C:-secret}\n" * 51, "has more than 100 times `${`"),
        (f"SECRET=x{' ' * 8192}y", "has a line of more than 8,192 characters. Shorten it."),
        ("SECRET=x" + "\f" * 8192 + "y", "has a line of more than 8,192 characters. Shorten it."),
    ],
)
def test_a_file_that_would_take_long_to_read_is_refused_before(text, says, tmp_path, monkeypatch):
    monkeypatch.setattr("dotenv.main.DotEnv.parse", lambda _: pytest.fail("it was read"))
    (tmp_path / ".env").write_text(text)
    with pytest.raises(PipelineLoadError) as raised:
        read_env(tmp_path / ".env")
    assert says in str(raised.value)
    assert "secret" not in str(raised.value)


def test_variables_that_double_each_other_are_refused_while_they_are_small(tmp_path):
    doubled = "".join(f"A{n + 1}=${{A{n}}}${{A{n}}}\n" for n in range(49))
    (tmp_path / ".env").write_text(f"A0=secret\n{doubled}")
    with pytest.raises(PipelineLoadError, match=r"more than 65,536 characters once `.*` is replaced") as raised:
        read_env(tmp_path / ".env")
    assert "secret" not in str(raised.value)
