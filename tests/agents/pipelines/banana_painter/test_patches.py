from __future__ import annotations

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from agents.pipelines.banana_painter.patches import LEAST_PIXELS, count_yellow_patches
from agents.pipelines.banana_painter.plate import COLOURS, HEIGHT, MOST_BANANAS, WIDTH, paint_plate

BANANA = COLOURS["banana"]


def png(image: Image.Image) -> bytes:
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


@pytest.mark.parametrize("bananas", range(MOST_BANANAS + 1))
def test_what_was_painted_is_counted_whatever_the_seed(bananas):
    for seed in ("", "🍌"):
        picture = paint_plate(bananas, seed=seed)

        assert count_yellow_patches(picture) == bananas


@settings(deadline=None, max_examples=30)
@given(st.integers(0, MOST_BANANAS), st.text(max_size=30))
def test_any_seed_gives_a_small_picture_that_can_be_counted(bananas, seed):
    picture = paint_plate(bananas, seed=seed)

    assert count_yellow_patches(picture) == bananas
    assert len(picture) < 9_000, "twelve thousand letters of base64"
    assert Image.open(io.BytesIO(picture)).size == (WIDTH, HEIGHT)


def test_a_seed_paints_the_same_picture_again_and_another_one_does_not():
    assert paint_plate(7, seed="a") == paint_plate(7, seed="a")
    assert paint_plate(7, seed="a") != paint_plate(7, seed="b")


@pytest.mark.parametrize("bananas", [-1, MOST_BANANAS + 1])
def test_what_has_no_room_is_refused(bananas):
    with pytest.raises(ValueError, match=f"0 to {MOST_BANANAS}"):
        paint_plate(bananas, seed="a")


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), unique=True, max_size=40))
def test_patches_of_any_picture_are_counted_one_by_one(cells):
    image = Image.new("RGB", (100, 100), "white")
    brush = ImageDraw.Draw(image)
    for column, row in cells:
        brush.rectangle((column * 10 + 2, row * 10 + 2, column * 10 + 7, row * 10 + 7), fill=BANANA)

    assert count_yellow_patches(png(image)) == len(cells)


def test_a_patch_hangs_together_around_corners_and_not_around_the_edge_of_the_picture():
    image = Image.new("RGB", (40, 40), "white")
    brush = ImageDraw.Draw(image)
    brush.line((0, 0, 39, 39), fill=BANANA)
    brush.rectangle((0, 20, 3, 26), fill=BANANA)
    brush.rectangle((36, 19, 39, 25), fill=BANANA)

    assert count_yellow_patches(png(image)) == 3


@pytest.mark.parametrize("colour", ["white", "black", "yellow", "orange", "#c4845c", "#0000ff"])
def test_other_colours_are_not_bananas(colour):
    assert count_yellow_patches(png(Image.new("RGB", (20, 20), colour))) == 0


def test_specks_are_not_bananas():
    image = Image.new("RGB", (20, 20), "white")
    ImageDraw.Draw(image).line((0, 5, LEAST_PIXELS - 2, 5), fill=BANANA)

    assert count_yellow_patches(png(image)) == 0


@pytest.mark.parametrize("picture", [b"", b"banana", b"\x89PNG\r\n\x1a\n broken"])
def test_what_is_no_picture_is_said_so(picture):
    with pytest.raises(ValueError, match="no picture"):
        count_yellow_patches(picture)
