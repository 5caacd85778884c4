"""Whether a tool may ask an address: a description must not lead into the network of the machine that runs it."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from urllib.parse import urlsplit

from agents.errors import ToolError

_TRANSLATED = ipaddress.ip_network("64:ff9b::/96")  # IPv4 inside IPv6 (RFC 6052)
_GLOBAL = ipaddress.ip_network("2000::/3")  # all of IPv6 that is given out for the internet (RFC 4291)


async def public_address(url: str) -> str:
    """An address of a URL's host, which is the one to connect to: asked again, its name could mean another.

    Raises:
        ToolError: One of the host's addresses is not public, or it has none.
    """
    parts = urlsplit(url)
    try:
        found = await asyncio.get_running_loop().getaddrinfo(parts.hostname, parts.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError, ValueError):
        raise ToolError(f"{parts.hostname} has no address.") from None
    addresses = [str(entry[4][0]) for entry in found]
    if not addresses or not all(map(is_public, addresses)):
        raise ToolError(
            f"{parts.hostname} is not a public address. The author of the agent can allow it: "
            "OpenAPIToolset(allow_private_network_access=True)."
        )
    return addresses[0]


def is_public(text: str) -> bool:
    """Whether an IP address is one of the internet, for one receiver."""
    address = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        if address in _TRANSLATED:
            return is_public(str(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)))
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo and address.teredo[1])
        if inner:
            return is_public(str(inner))
        return address.is_global and address in _GLOBAL
    return address.is_global and not address.is_multicast
