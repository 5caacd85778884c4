"""The official text format: what is written is read again, by others too, and what cannot be read is said."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from agents.ace.bullet import StoredBullet
from agents.ace.formats.text import bullet_line, prompt_line, write_header
from agents.ace.playbook import Playbook
from agents.errors import PlaybookFormatError
from tests.agents.ace.bullets import PIECES, bullets, playbooks, texts, unhurried

read_text, write_text = Playbook.from_text, Playbook.to_text

OFFICIAL = re.compile(r"\[([^\]]+)\]\s*helpful=(\d+)\s*harmful=(\d+)\s*::\s*(.*)")
"""What the official implementation matches with the start of each line, stripped."""

TAG = re.compile(r"<(?:[/!?|]|[^\W\d_])")


def officially(text: str) -> list[tuple[str, str, int, int, str]]:
    """Section, id, counters and content of each bullet, as the official implementation finds them."""
    found, section = [], "general"
    for line in text.strip().split("\n"):
        if line.strip().startswith("##"):
            section = line.strip()[2:].strip()
        elif parsed := OFFICIAL.match(line.strip()):
            found.append((section, parsed[1], int(parsed[2]), int(parsed[3]), parsed[4]))
    return found


def one(content: str, **fields) -> StoredBullet:
    return StoredBullet("units-00001", "UNITS", content, **fields)


def read_one(content: str) -> str:
    return read_text(f"## UNITS\n[units-00001] helpful=0 harmful=0 :: {content}").bullets[0].content


def test_what_a_playbook_looks_like():
    playbook = Playbook(
        [
            StoredBullet(
                "sai-00001", "STRATEGIES AND INSIGHTS", "Compare the units of both sides before dividing.", helpful=4
            ),
            StoredBullet("form-00002", "formulas", "\\frac{a}{b}:\nfirst a,\r\nthen b", harmful=2, neutral=1),
            StoredBullet("sai-00003", "STRATEGIES AND INSIGHTS", " ␤ stands for a line break ", archived=True),
            StoredBullet("form-00004", "formulas", "", neutral=3, archived=True),
        ]
    )
    text = write_text(playbook)
    assert text == snapshot("""\
## STRATEGIES AND INSIGHTS
[sai-00001] helpful=4 harmful=0 :: Compare the units of both sides before dividing.
[sai-00003] helpful=0 harmful=0 :: ␛20;␛␤ stands for a line break␛20; ␟archived

## formulas
[form-00002] helpful=0 harmful=2 :: \\frac{a}{b}:␤first a,␛d;␤then b ␟neutral=1
[form-00004] helpful=0 harmful=0 ::  ␟neutral=3 archived
""")
    assert read_text(text) == playbook


@unhurried
@given(playbooks())
@example(Playbook([StoredBullet("x-1", piece, piece * 2) for piece in [""]]))
def test_what_is_written_is_read_again(playbook):
    assert read_text(write_text(playbook)) == playbook


@pytest.mark.parametrize("piece", ["", *PIECES])
def test_every_piece_survives_alone_at_an_end_and_in_a_section(piece):
    contents = [piece, f"{piece}a", f"a{piece}", f"{piece}{piece}", f"a {piece} b", f"{piece} ", f" {piece}"]
    playbook = Playbook(
        [
            StoredBullet(f"x-{at}{archived:d}", content, content, archived=bool(archived))
            for at, content in enumerate(contents)
            for archived in (0, 1)
        ]
    )
    assert read_text(write_text(playbook)) == playbook


@unhurried
@given(texts)
def test_half_a_surrogate_pair_can_be_written_to_a_file(text):
    playbook = Playbook([one(f"\ud800{text}\udfff")])
    assert read_text(write_text(playbook).encode().decode()) == playbook


@unhurried
@given(playbooks())
def test_the_official_implementation_reads_every_bullet_and_no_other(playbook):
    text = write_text(playbook)
    found = officially(text)
    assert [entry[1:4] for entry in found] == [
        (bullet.id, bullet.helpful, bullet.harmful) for bullets in playbook.sections.values() for bullet in bullets
    ]
    assert len({section for section, *_ in found}) == len(playbook.sections)
    assert text.splitlines() == text.removesuffix("\n").split("\n")[: len(text.splitlines())]


@unhurried
@given(st.text(st.characters(categories=["L", "N", "P", "S"], exclude_characters="␤␛␟"), min_size=1))
@example("\\frac{\\text{net income}}{\\text{equity}} \\n is no line break")
def test_ordinary_text_is_not_changed_at_all(text):
    assert bullet_line(one(text)) == f"[units-00001] helpful=0 harmful=0 :: {text}"


@unhurried
@given(texts)
def test_a_bullet_cannot_pass_for_anything_else_in_a_prompt(content):
    line = prompt_line(one(content, neutral=3, archived=True, helpful=2))
    assert line.splitlines() == [line]
    assert OFFICIAL.match(line).groups()[:3] == ("units-00001", "2", "0")
    assert not TAG.search(line)
    assert "␟" not in line.replace("␛␟", "")


@unhurried
@given(texts)
def test_a_section_cannot_pass_for_anything_else_in_a_prompt(name):
    line = write_header(name, prompt=True)
    assert line.splitlines() == [line]
    assert line.startswith("## ")
    assert not TAG.search(line)


def test_comparisons_stay_readable_in_a_prompt():
    assert prompt_line(one("if 1 < 2 <= 3 then </playbook>")).endswith(":: if 1 < 2 <= 3 then ‹/playbook>")


@unhurried
@given(playbooks(), st.sampled_from(["\n", "\r\n"]), st.sampled_from(["", "\ufeff"]), st.sampled_from(["", "  ", "\t"]))
def test_white_space_and_line_ends_of_other_systems_mean_nothing(playbook, line_end, begin, indent):
    text = begin + f"{line_end}{line_end}{indent}".join(["", *write_text(playbook).split("\n"), ""])
    assert read_text(text) == playbook


def test_what_is_in_files_of_other_programs():
    playbook = read_text(
        "<!-- Exported. -->\n"
        "[misc-00001]helpful=1 harmful=0::before any header\n"
        "## EMPTY\n\n"
        "##UNITS\n"
        "[u-00007] helpful=12   harmful=3 ::   spaces around   \n"
        "<!-- several\n[u-00008] helpful=0 harmful=0 :: lines\n--> <!-- and another -->\n"
        "### FORMULAS & MORE\n"
        "- [kpt_003] helpful=0 harmful=0 ::\n"
        "* [FORM-9] helpful=0 harmful=0 :: a ::b\n"
        "## UNITS\n"
        "[u-00002] helpful=0 harmful=0 :: in a second piece <!-- kept -->\n"
    )
    assert [(b.section, b.id, b.helpful, b.harmful, b.content) for b in playbook.bullets] == [
        ("others", "misc-00001", 1, 0, "before any header"),
        ("UNITS", "u-00007", 12, 3, "spaces around"),
        ("FORMULAS & MORE", "kpt_003", 0, 0, ""),
        ("FORMULAS & MORE", "FORM-9", 0, 0, "a ::b"),
        ("UNITS", "u-00002", 0, 0, "in a second piece <!-- kept -->"),
    ]
    assert list(playbook.sections) == ["others", "UNITS", "FORMULAS & MORE"]
    assert playbook.next_number > 9


@pytest.mark.parametrize("content", ["100␛ and ␛x", "␛ffffff;", "a ␟ b", "a␟archived", "a ␟archived b", "␟neutral=x", "a ␟"])
def test_symbols_that_mean_nothing_where_they_stand_are_kept(content):
    assert read_one(content) == content


@pytest.mark.parametrize("text", ["", "\n\n", "## UNITS\n\n## OTHERS\n", "<!-- nothing -->"])
def test_a_text_without_bullets_is_an_empty_playbook(text):
    assert len(read_text(text)) == 0


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "[u-00002] helpful=1 divide first",
            r"Line 3: '\[u-00002\] helpful=1 divide first' looks like a bullet .* with an id .* and both counters",
        ),
        ("[u-00002] helpful=1 :: x", "Line 3: .* looks like a bullet"),
        ("[u-00002] helpful=-1 harmful=0 :: x", "Line 3: .* looks like a bullet"),
        ("[u-00002] helpful=1 harmful=0 x", "Line 3: .* looks like a bullet"),
        ("[] helpful=1 harmful=0 :: x", "Line 3: .* looks like a bullet"),
        ("helpful=1 harmful=0 :: x", "Line 3: .* looks like a bullet"),
        ("[a b] helpful=1 harmful=0 :: x", "Line 3: 'a b' cannot be the id of a bullet"),
        ("[</a>-1] helpful=1 harmful=0 :: x", "Line 3: '</a>-1' cannot be the id"),
        (f"[{'x' * 101}] helpful=1 harmful=0 :: x", "Line 3: 'x+…' cannot be the id"),
        ("[u-00001] helpful=1 harmful=0 :: x", "Line 3: the id u-00001 was given in line 2 already"),
        (f"[u-00002] helpful={'9' * 13} harmful=0 :: x", "Line 3: a counter of the bullet u-00002"),
        (f"[u-00002] helpful=0 harmful=0 :: x ␟neutral={'9' * 13}", "Line 3: a counter of the bullet u-00002"),
        ("##", "Line 3: a section without a name"),
        ("<!-- so\n[u-00002] helpful=0 harmful=0 :: x", "Line 3: a comment begins here and does not end"),
        ("<!-- so\n<!-- again -->", "Line 4: a comment begins in the one of line 3"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_line_and_the_cure(line, message):
    with pytest.raises(PlaybookFormatError, match=message):
        read_text(f"## UNITS\n[u-00001] helpful=0 harmful=0 :: x\n{line}\n")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("Some prose.", r"Line 2: 'Some prose\.' is neither a section .* put it into its line, with ␤ for the line break"),
        ("# Title", "Line 2: '# Title' is neither"),
        ("<!-- so --> prose", "Line 2: 'prose' is neither"),
    ],
)
def test_prose_that_belongs_to_no_bullet_is_refused(line, message):
    with pytest.raises(PlaybookFormatError, match=message):
        read_text(f"## UNITS\n{line}\n[u-00001] helpful=0 harmful=0 :: x\n")
    with pytest.raises(PlaybookFormatError, match=message.replace("2", "4", 1)):
        read_text(f"## A\n[u-00001] helpful=0 harmful=0 :: x\n## B\n{line}\n")


def test_lines_below_a_bullet_go_on_with_it_as_other_programs_write_them():
    playbook = read_text(
        "## CODE\n[c-1] helpful=1 harmful=0 :: Loop:\n  for x in y:\n\n  print(x)\n[c-2] helpful=0 harmful=0 :: z\n"
    )
    assert [bullet.content for bullet in playbook.bullets] == ["Loop:\n  for x in y:\n\n  print(x)", "z"]
    assert read_text(write_text(playbook)) == playbook


def test_bullets_may_lack_counters_and_keep_their_ids():
    playbook = read_text(
        "## RULES\n\n[shr-00001] Look first.\n- [api-00004] :: Ask [them](x).\n\n## EMPTY\n## MORE\n[m_3] z\n"
    )
    assert [(b.section, b.id, b.helpful, b.harmful, b.content) for b in playbook.bullets] == [
        ("RULES", "shr-00001", 0, 0, "Look first."),
        ("RULES", "api-00004", 0, 0, "Ask [them](x)."),
        ("MORE", "m_3", 0, 0, "z"),
    ]
    assert read_text(write_text(playbook)) == playbook


CODE = st.lists(
    st.sampled_from(
        ["## note", "  [x for x in y]", "    helpful = 1", "", "\t<!-- kept -->", "  [a-1] x", "if a::b:", "- [ ] do"]
    ),
    min_size=1,
    max_size=8,
).filter(lambda lines: lines[-1])


@unhurried
@given(CODE, st.sampled_from(["\n", "\r\n"]))
def test_code_below_a_bullet_is_kept_to_the_space(lines, line_end):
    content = "\n".join(["Do:", *(f"  {line}" if line else "" for line in lines)])
    text = f"## CODE\n[c-1] helpful=1 harmful=0 :: {content}\n\n[c-2] z\n".replace("\n", line_end)
    playbook = read_text(text)
    assert [bullet.content for bullet in playbook.bullets] == [content, "z"]
    assert read_text(write_text(playbook)) == Playbook.from_json(playbook.to_json()) == playbook
    assert [bullet.content for bullet in Playbook.from_dict(playbook.to_dict()).bullets] == [content, "z"]


def test_what_stands_between_fences_is_no_section_and_an_open_fence_swallows_no_bullet():
    fenced = "Run:\n```sh\n## first\n\nmake\n```"
    playbook = read_text(f"[c-1] {fenced}\n[c-2] Never end with:\n```\n## NEXT\n[c-3] z\n")
    assert [(b.section, b.content) for b in playbook.bullets] == [
        ("others", fenced),
        ("others", "Never end with:\n```"),
        ("NEXT", "z"),
    ]


@unhurried
@given(st.lists(st.sampled_from([*PIECES, "\n[a-1] helpful=1 harmful=1 :: ", "\n## A\n", "\n"]), max_size=12).map("".join))
def test_whatever_can_be_read_at_all_is_kept(text):
    try:
        playbook = read_text(text)
    except PlaybookFormatError as error:
        assert re.match(r"Line \d+: ", str(error))  # noqa: PT017  most of these texts are no playbooks
        return
    written = write_text(playbook)
    assert read_text(written) == playbook
    assert write_text(read_text(written)) == written


@unhurried
@given(bullets(7))
def test_a_line_of_a_bullet_is_the_line_of_the_file(bullet):
    assert bullet_line(bullet) in write_text(Playbook([bullet])).split("\n")
