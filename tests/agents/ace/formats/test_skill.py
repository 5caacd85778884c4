"""A playbook as a skill and back: ids, sections and texts stay; what others wrote becomes bullets."""

from __future__ import annotations

import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents import PlaybookFormatError
from agents.ace import Playbook, StoredBullet, unzip_skill, write_skill, zip_skill
from agents.ace.formats.skill import SKILL_FILE, read_skill, skill_name
from agents.toolsets.skills import load_skill_from_dir

TEXT = st.text(st.characters(codec="utf-8"), min_size=1, max_size=60).filter(str.strip)
IDS = st.from_regex(r"[a-z/.#(]{1,6}-[0-9]{1,5}", fullmatch=True)


@given(st.dictionaries(IDS, st.tuples(TEXT, TEXT), min_size=1))
def test_a_round_trip_keeps_ids_sections_and_texts(found):
    written = Playbook([StoredBullet(id_, section, content) for id_, (section, content) in found.items()])
    back = Playbook(read_skill(write_skill(written.sections, name="shop")[SKILL_FILE]))
    assert [[one.said for one in each] for each in back.sections.values()] == [
        [one.said for one in each] for each in written.sections.values()
    ]


def filled():
    return Playbook([
        StoredBullet("c-00001", "COMMANDS", "Run `python -m pytest`.", helpful=3, harmful=1),
        StoredBullet("c-00002", "COMMANDS", "Code:\n```sh\n## no heading\n\n- no item\n```"),
        StoredBullet("h-00003", "HABITS", "Use uv.", helpful=1, neutral=2),
        StoredBullet("h-00004", "HABITS", "Gone.", helpful=9, archived=True),
    ])  # fmt: skip


def test_an_archive_gives_the_bullets_with_their_counts():
    content = zip_skill(write_skill(filled().sections, name="shop", evidence={"c-00001": "Seen twice."}), "shop")
    text, references = unzip_skill(content)
    assert [one.said for one in read_skill(text, references)] == [one.said for one in filled().bullets[:3]]
    assert references["c-00001.md"].endswith("Seen twice.\n")


def test_the_folder_is_a_skill_for_the_toolset(tmp_path):
    for path, text in write_skill(filled().sections, name="shop", description='Lessons: "till" #1\nand more').items():
        (tmp_path / "shop" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "shop" / path).write_text(text, encoding="utf-8")
    skill = load_skill_from_dir(tmp_path / "shop")
    assert (skill.name, skill.description) == ("shop", 'Lessons: "till" #1 and more')
    assert "- [c-00001] Run `python -m pytest`." in skill.instructions
    assert sorted(skill.resources.references) == ["c-00001.md", "c-00002.md", "h-00003.md"]


def test_chosen_sections_and_bullets_that_passed():
    assert [one.id for one in read_skill(write_skill(filled().sections, name="x", only=["HABITS"])[SKILL_FILE])] == [
        "h-00003"
    ]
    passed = write_skill(filled().sections, name="x", passed_only=True)[SKILL_FILE]
    assert [one.id for one in read_skill(passed)] == ["c-00001", "h-00003"]
    with pytest.raises(PlaybookFormatError, match="no bullet is left"):
        write_skill(filled().sections, name="x", only=[])


def test_a_skill_of_others_becomes_bullets_and_nothing_is_lost():
    text = """---
name: shop
description: The shop
---
# Shop

Read the till first.
It is in till.py.

## Commands
- Run the tests with `tox`
  in the root.
* [link](http://x.test) stays
1. First

```sh
make
```
"""
    found = Playbook.read(text)
    assert [(one.section, one.content) for one in found.bullets] == [
        ("others", "Read the till first.\nIt is in till.py."),
        ("Commands", "Run the tests with `tox`\nin the root."),
        ("Commands", "[link](http://x.test) stays"),
        ("Commands", "First\n\n```sh\nmake\n```"),
    ]
    assert len({one.id for one in found.bullets}) == 4


@pytest.mark.parametrize("id_", ["../../etc-1", "a/b-2", ".hidden-3"])
def test_no_file_leads_out_of_the_folder(id_):
    paths = write_skill(Playbook([StoredBullet(id_, "X", "y")]).sections, name="x")
    assert all(part not in ("..", "") and not part.startswith(".") for path in paths for part in path.split("/"))


def packed(method, text="# x"):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        archive.writestr("x/SKILL.md", text)
    return made.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"PK\x03\x04cut",
        zip_skill({"other.md": "x"}, "x"),
        packed(zipfile.ZIP_LZMA),
        packed(zipfile.ZIP_DEFLATED, "a" * 17 * 1024 * 1024),
        packed(zipfile.ZIP_DEFLATED)[:40] + b"\xff" * 4 + packed(zipfile.ZIP_DEFLATED)[44:],
    ],
    ids=["nothing", "cut", "another", "lzma", "bomb", "damaged"],
)
def test_another_archive_is_refused(content):
    with pytest.raises(PlaybookFormatError, match="The archive"):
        unzip_skill(content)


@pytest.mark.parametrize(
    ("text", "name"), [("My Shop!", "my-shop"), ("家", "playbook"), ("--a__b--", "a-b"), ("x" * 90, "x" * 64)]
)
def test_a_name_for_a_skill(text, name):
    assert skill_name(text) == name
