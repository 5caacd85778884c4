"""Sizes and times in words."""

from __future__ import annotations

import pytest

from ui.text.amounts import bytes_in_words, seconds_in_words, size_of
from ui.text.labels import many


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (0, "0 bytes"),
        (999, "999 bytes"),
        (1500, "1.5 KB"),
        (98_362_432, "98 MB"),
        (1_117_320_768, "1.1 GB"),
        (2_000_000_000_000, "2000 GB"),
    ],
)
def test_bytes(number, said):
    assert bytes_in_words(number) == said


def test_seconds_and_counts():
    assert [seconds_in_words(0.84), seconds_in_words(9.96), seconds_in_words(12.4)] == ["0.8 s", "10.0 s", "12 s"]
    assert [many(1, "file"), many(1200, "file")] == ["1 file", "1,200 files"]


def test_a_folder_is_as_large_as_its_files_and_links_do_not_count(tmp_path):
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "one").write_bytes(b"123")
    (tmp_path / "two").write_bytes(b"4567")
    (tmp_path / "link").symlink_to(tmp_path / "two")
    assert size_of(tmp_path) == (7, 2)
    assert size_of(tmp_path / "two") == (4, 1)
    assert size_of(tmp_path / "nowhere") == (0, 0)
