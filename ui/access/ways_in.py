"""Ways in: what tells who somebody is, as the start was told; and the proxy that may say it in a header."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass

from starlette.requests import HTTPConnection

from agents import PersonError
from agents.access import ROLES, Account, Accounts, Role, UsersFile
from agents.runs import new_role, openid_settings, trusted_proxy, users_file
from ui.access.openid import OpenId, openid_of

_PROXY_ISSUER = "the proxy"
_LONGEST_SUBJECT = 200


@dataclass(frozen=True, slots=True)
class TrustedProxy:
    """A proxy that says who asks.

    Attributes:
        networks: Its addresses.
        header: The name of the header, in lower case.
    """

    networks: tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...]
    header: str

    def sends(self, connection: HTTPConnection) -> bool:
        """Whether a request comes from the proxy itself."""
        try:
            address = ipaddress.ip_address(connection.client.host if connection.client else "")
        except ValueError:
            return False
        address = getattr(address, "ipv4_mapped", None) or address
        return any(address in network for network in self.networks)

    def subject(self, connection: HTTPConnection) -> str:
        """Who asks, as the proxy says; "" if it says nothing, or somebody else does."""
        told = connection.headers.getlist(self.header) if self.sends(connection) else []
        name = told[0].encode("latin-1", "replace").decode("utf-8", "replace").strip() if len(told) == 1 else ""
        return name if name.isprintable() and len(name) <= _LONGEST_SUBJECT else ""


@dataclass(frozen=True, slots=True)
class WaysIn:
    """The ways in.

    Attributes:
        users: The users' file; None without one.
        openid: The OpenID provider; None without one.
        proxy: The proxy that says who asks; None without one.
        new_role: The role of those whom the last two name, where nothing tells another one.
    """

    users: UsersFile | None = None
    openid: OpenId | None = None
    proxy: TrustedProxy | None = None
    new_role: Role = Role.USER

    @property
    def are_configured(self) -> bool:
        """Whether there is one, so that nobody gets in otherwise but by an invitation and the owner's link."""
        return any((self.users, self.openid, self.proxy))

    def of_proxy(self, connection: HTTPConnection, accounts: Accounts) -> Account | None:
        """The account that the proxy names; it is made at the first time. It may raise `DatabaseError`."""
        subject = self.proxy.subject(connection) if self.proxy else ""
        if not subject:
            return None
        found = accounts.of_subject(_PROXY_ISSUER, subject)
        return found or accounts.sign_in(_PROXY_ISSUER, subject, name=subject, role=self.new_role, is_managed=False)

    def client_address(self, connection: HTTPConnection) -> str:
        """From where a browser asks, as far as it can be told: what others than the proxy claim does not count."""
        peer = connection.client.host if connection.client else "a local socket"
        told = connection.headers.get("x-forwarded-for", "").rpartition(",")[2].strip()
        return told or peer if self.proxy and self.proxy.sends(connection) else peer


def configured() -> WaysIn:
    """The ways in of this process, as the environment and the users' file tell them.

    Raises:
        PersonError: One of them is told wrongly.
    """
    file = users_file()
    users = UsersFile(file) if file else None
    if (role := new_role()) not in ROLES:
        raise PersonError(f"PLAYGROUND_ROLE is one of {', '.join(ROLES)}, not {role!r}.")
    told = {**(users.openid if users else {}), **openid_settings()}
    return WaysIn(users, openid_of(told) if told else None, _proxy(), Role(role))


def _proxy() -> TrustedProxy | None:
    addresses, header = trusted_proxy()
    if not addresses and not header:
        return None
    if not addresses or not header:
        raise PersonError(
            "A proxy that says who asks needs both: PLAYGROUND_TRUSTED_PROXY, its address, and PLAYGROUND_USER_HEADER, "
            "the header that it sets. Without the address, anybody could set it."
        )
    try:
        networks = tuple(ipaddress.ip_network(address, strict=False) for address in addresses)
    except ValueError as error:
        raise PersonError(f"PLAYGROUND_TRUSTED_PROXY takes addresses and networks, e.g. 10.0.0.0/24: {error}.") from error
    return TrustedProxy(networks, header.lower())
