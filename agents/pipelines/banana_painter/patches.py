"""Counts bananas in a picture: connected patches of banana yellow."""

from __future__ import annotations

import io
import re

from PIL import Image, ImageChops

LEAST_PIXELS = 10
"""A smaller patch is a speck at an edge, not a banana."""

_RED_FROM, _GREEN_FROM, _GREEN_TO, _BLUE_TO = 225, 180, 232, 110
_RUN = re.compile(b"[^\0]+")


def count_yellow_patches(picture: bytes) -> int:
    """How many separate patches of banana yellow a picture has; pixels that touch at a corner hang together.

    Args:
        picture: A PNG, JPEG or other file that Pillow reads.

    Raises:
        ValueError: The bytes are no picture.
    """
    try:
        image = Image.open(io.BytesIO(picture)).convert("RGB")
    except (OSError, SyntaxError, Image.DecompressionBombError) as error:
        raise ValueError(f"These {len(picture)} bytes are no picture that can be read: {error}") from error
    return sum(size >= LEAST_PIXELS for size in _sizes_of_patches(_yellow_in(image)))


def _yellow_in(image: Image.Image) -> Image.Image:
    """A picture of one channel that is 0 wherever `image` is not banana yellow."""
    red, green, blue = image.split()
    return ImageChops.multiply(
        ImageChops.multiply(
            red.point([255 if value >= _RED_FROM else 0 for value in range(256)]),
            green.point([255 if _GREEN_FROM <= value <= _GREEN_TO else 0 for value in range(256)]),
        ),
        blue.point([255 if value <= _BLUE_TO else 0 for value in range(256)]),
    )


def _sizes_of_patches(mask: Image.Image) -> list[int]:
    """How many pixels each patch has. Row by row: a run of pixels belongs to the patch of those that it touches above."""
    pixels, width = mask.tobytes(), mask.width
    sizes: list[int] = []
    part_of: list[int] = []  # by patch: the one that it turned out to be a part of, or itself

    def whole(patch: int) -> int:
        while part_of[patch] != patch:
            patch = part_of[patch]
        return patch

    above: list[tuple[int, int, int]] = []  # where runs begin and end, and their patches
    for start in range(0, len(pixels), width):
        row: list[tuple[int, int, int]] = []
        for run in _RUN.finditer(pixels, start, start + width):
            begin, end = run.start() - start, run.end() - start
            touched = {whole(patch) for left, right, patch in above if left <= end and begin <= right}
            patch = min(touched, default=len(sizes))
            if not touched:
                sizes.append(0)
                part_of.append(patch)
            for other in touched - {patch}:
                part_of[other] = patch
                sizes[patch] += sizes[other]
                sizes[other] = 0
            sizes[patch] += end - begin
            row.append((begin, end, patch))
        above = row
    return sizes
