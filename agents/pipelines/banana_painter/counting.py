"""Counts bananas in a picture: patches of banana yellow that hang together. Knows nothing of how it was painted."""

from __future__ import annotations

import io

from PIL import Image, ImageChops

LEAST_PIXELS = 10
"""A smaller patch is a speck at an edge, not a banana."""

_RED_FROM, _GREEN_FROM, _GREEN_TO, _BLUE_TO = 225, 180, 232, 110


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
    yellow = _yellow_pixels(image)
    patches = 0
    while yellow:
        patches += _take_patch(yellow, image.width) >= LEAST_PIXELS
    return patches


def _yellow_pixels(image: Image.Image) -> set[int]:
    """Places of banana-yellow pixels, as row × width + column."""
    red, green, blue = image.split()
    mask = ImageChops.multiply(
        ImageChops.multiply(
            red.point([255 if value >= _RED_FROM else 0 for value in range(256)]),
            green.point([255 if _GREEN_FROM <= value <= _GREEN_TO else 0 for value in range(256)]),
        ),
        blue.point([255 if value <= _BLUE_TO else 0 for value in range(256)]),
    )
    return {place for place, value in enumerate(mask.tobytes()) if value}


def _take_patch(yellow: set[int], width: int) -> int:
    """Removes one patch from `yellow` and returns its size in pixels."""
    waiting = [yellow.pop()]
    size = 0
    while waiting:
        place = waiting.pop()
        size += 1
        column = place % width
        for row in (place - width, place, place + width):
            for neighbour in range(row - (column > 0), row + (column < width - 1) + 1):
                if neighbour in yellow:
                    yellow.remove(neighbour)
                    waiting.append(neighbour)
    return size
