"""QR pictures of addresses, which a phone's camera reads."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=16)
def qr(url: str) -> str:
    """A picture of an address, as a `data:` address. A few are kept: a browser may claim any host and port."""
    import segno  # only a class and invitations need it

    return segno.make_qr(url).svg_data_uri(scale=8, border=2, dark="#000", light="#fff")
