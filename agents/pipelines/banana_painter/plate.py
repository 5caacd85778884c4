"""Paints a plate with a given number of bananas, as a small PNG."""

from __future__ import annotations

import io
import math
import random
from typing import Any

from PIL import Image, ImageDraw

from agents.models.simulated.language.words import words_beside

WIDTH, HEIGHT = 320, 240
SCALE = 3
"""Everything is drawn larger and then made smaller: that smooths the edges."""

MOST_BANANAS = 27
_DATA: dict[str, Any] = words_beside(__file__, "plate.toml")
COLOURS = {name: (int(red), int(green), int(blue)) for name, (red, green, blue) in _DATA["colours"].items()}
"""Red, green and blue, 0 to 255, by name."""

_PLATE_CENTRE = (160, 146)
_PLATE_RADII = (146, 84)
_INSIDE = 0.85
_LONGEST = 78.0
_LAYOUTS = 24
_FLATTEN = _PLATE_RADII[1] / _PLATE_RADII[0]

Point = tuple[float, float]


def paint_plate(bananas: int, *, seed: str) -> bytes:
    """A PNG of a plate with bananas that do not touch each other.

    Args:
        bananas: How many, 0 to `MOST_BANANAS`.
        seed: The same seed lays them out in the same way.

    Raises:
        ValueError: There is no room for so many, or a negative number.
    """
    if not 0 <= bananas <= MOST_BANANAS:
        raise ValueError(f"The plate holds 0 to {MOST_BANANAS} bananas, not {bananas}.")
    draw = random.Random(seed)  # noqa: S311  a picture is no secret
    image = Image.new("RGB", (WIDTH * SCALE, HEIGHT * SCALE), COLOURS["wall"])
    brush = ImageDraw.Draw(image)
    _paint_room(brush, draw)
    _paint_plate(brush)
    places, length = _lay_out(bananas, draw)
    for place in sorted(places, key=lambda point: point[1]):
        _paint_banana(brush, place, length, draw)
    small = image.reduce(SCALE)
    flat = small.quantize(palette=_palette(), dither=Image.Dither.NONE)
    file = io.BytesIO()
    flat.save(file, "PNG")
    return file.getvalue()


def _palette() -> Image.Image:
    """The colours of every picture: with colours of its own, a picture might have no banana yellow to count."""
    steps = {
        tuple(round(a + (b - a) * part / 2) for a, b in zip(COLOURS[one], COLOURS[other], strict=True))
        for one, others in _DATA["meeting"].items()
        for other in others
        for part in range(3)
    }
    palette = Image.new("P", (1, 1))
    palette.putpalette([channel for colour in sorted(steps) for channel in colour])
    return palette


def _paint_room(brush: ImageDraw.ImageDraw, draw: random.Random) -> None:
    for left in range(0, WIDTH, 32):
        brush.rectangle(_scaled(left, 0, left + 16, 60), fill=COLOURS["wall_stripe"])
    brush.rectangle(_scaled(0, 56, WIDTH, HEIGHT), fill=COLOURS["table"])
    brush.rectangle(_scaled(0, 56, WIDTH, 60), fill=COLOURS["table_edge"])
    for _ in range(9):
        left, top = draw.randrange(-40, WIDTH), draw.randrange(68, HEIGHT)
        grain = _scaled(left, top, left + draw.randrange(50, 130), top + 2)
        brush.rounded_rectangle(grain, radius=SCALE, fill=COLOURS["table_grain"])


def _paint_plate(brush: ImageDraw.ImageDraw) -> None:
    for colour, shift, share in (
        ("shadow", 7, 1.0),
        ("plate_rim", 0, 1.0),
        ("plate", 0, 0.955),
        ("plate_ring", 0, 0.86),
        ("plate_shade", 0, 0.845),
        ("plate", 2, 0.83),
    ):
        (x, y), across, down = _PLATE_CENTRE, _PLATE_RADII[0] * share, _PLATE_RADII[1] * share
        brush.ellipse(_scaled(x - across, y + shift - down, x + across, y + shift + down), fill=COLOURS[colour])


def _lay_out(bananas: int, draw: random.Random) -> tuple[list[Point], float]:
    """Where the bananas lie and how long each may be, in pixels: the roomiest of some layouts that are drawn.

    The plate is looked at as a circle that is seen from the side: places are spread over rings of it.
    """
    best: tuple[list[Point], float] = ([], 0.0)
    reach = _PLATE_RADII[0] * _INSIDE
    for _ in range(_LAYOUTS):
        places: list[Point] = []
        for count, radius in _rings(bananas):
            turn = draw.uniform(0, math.tau)
            for angle in (turn + math.tau * index / count for index in range(count)):
                x, y = radius * math.cos(angle) * reach, radius * math.sin(angle) * reach * _FLATTEN
                places.append((_PLATE_CENTRE[0] + x, _PLATE_CENTRE[1] + y))
        room = min((_room_between(a, b) for i, a in enumerate(places) for b in places[:i]), default=math.inf)
        if room > best[1]:
            best = (places, room)
    return best[0], min(_LONGEST, best[1])


def _room_between(one: Point, other: Point) -> float:
    """How long two bananas may be that lie at these places: they are wide rather than high."""
    return max(abs(one[0] - other[0]) * 0.92, abs(one[1] - other[1]) / 0.62)


def _rings(bananas: int) -> list[tuple[int, float]]:
    """(how many, how far from the middle as a share of the radius) for each ring."""
    match bananas:
        case 0:
            return []
        case 1:
            return [(1, 0.0)]
        case 2 | 3 | 4 | 5:
            return [(bananas, 0.56)]
        case 6 | 7 | 8 | 9:
            return [(1, 0.0), (bananas - 1, 0.72)]
        case 10 | 11 | 12 | 13 | 14:
            return [(3, 0.33), (bananas - 3, 0.8)]
        case _:
            middle = round((bananas - 1) * 0.34)
            return [(1, 0.0), (middle, 0.46), (bananas - 1 - middle, 0.86)]


def _paint_banana(brush: ImageDraw.ImageDraw, place: Point, length: float, draw: random.Random) -> None:
    """A crescent: thick in the middle, its belly shaded, with a stalk at one end and a tip at the other."""
    angle, side = draw.uniform(-0.3, 0.3), draw.choice((-1, 1))
    size = length * draw.uniform(0.92, 1.0)

    def at(along: float, across: float, drop: float = 0.0) -> Point:
        """A point of the banana: `along` from -1 to 1, `across` in half thicknesses, laid on the plate."""
        bend = 0.28 * size * (0.45 - along * along)
        thick = 0.125 * size * max(0.0, 1 - along**4) ** 0.6
        x, y = side * along * size / 2, bend + across * thick
        turned = (x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle))
        return (place[0] + turned[0]) * SCALE, (place[1] + turned[1] + drop) * SCALE

    def band(top: float, bottom: float, share: float, colour: tuple[int, int, int], drop: float = 0.0) -> None:
        edge = [at(s * share, top, drop) for s in steps] + [at(s * share, bottom, drop) for s in reversed(steps)]
        brush.polygon(edge, fill=colour)

    steps = [step / 16 for step in range(-16, 17)]
    band(-0.6, 1.3, 0.98, COLOURS["on_plate"], drop=0.05 * size)
    band(-1.0, 1.25, 1.0, COLOURS["banana_shade"])
    band(-1.0, 0.8, 0.98, COLOURS["banana"])
    band(-0.15, 0.08, 0.82, COLOURS["banana_ridge"])
    brush.line([at(-0.93, 0), at(-1.13, -0.3)], fill=COLOURS["banana_tip"], width=max(2, round(0.085 * size * SCALE)))
    brush.line([at(0.96, 0), at(1.03, 0)], fill=COLOURS["banana_tip"], width=max(2, round(0.07 * size * SCALE)))


def _scaled(left: float, top: float, right: float, bottom: float) -> tuple[float, float, float, float]:
    return left * SCALE, top * SCALE, right * SCALE, bottom * SCALE
