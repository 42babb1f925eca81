"""Where we may connect to on members' behalf: the open internet, and what an administrator allowed besides.

A name is resolved once, and the address found is the one connected to: a name that leads elsewhere a moment later leads
nobody past this."""

from __future__ import annotations

import ipaddress
import socket
from dataclasses import dataclass
from urllib.parse import urlsplit

from bailiwick.settings import Settings

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
PORTS = {"http": 80, "https": 443}
DOCUMENTATION = ipaddress.IPv6Network("3fff::/20")  # newer than Python's own list
NAT64 = ipaddress.IPv6Network("64:ff9b::/96")  # IPv4 in the clothes of IPv6


class AddressRefused(Exception):
    """We do not connect there, or cannot find it; the message says which, and what to do."""


@dataclass(frozen=True)
class Pinned:
    """A place to connect to: by address, whatever its name leads to later."""

    host: str
    port: int
    address: str

    @property
    def netloc(self) -> str:
        """Address and port, as they stand in a URL."""
        return f"[{self.address}]:{self.port}" if ":" in self.address else f"{self.address}:{self.port}"


def refuse_private(url: str, settings: Settings) -> Pinned:
    """Where this http or https address leads, if we may connect there."""
    try:
        parts = urlsplit(url)
        port = parts.port or PORTS[parts.scheme]
        host = parts.hostname
    except (ValueError, KeyError):
        host, port = None, 0
    if not host:
        raise AddressRefused("This is not a web address. Write it as https://host/path.")
    return pin(host, port, settings)


def refuse_written_private(url: str, settings: Settings) -> None:
    """Refuse an address that is plainly private, without asking what its name leads to: that counts when it is used."""
    host = (urlsplit(url).hostname or "").rstrip(".")
    try:
        address = ipaddress.ip_address("127.0.0.1" if host == "localhost" or host.endswith(".localhost") else host)
    except ValueError:
        return
    if not is_allowed(address, settings):
        raise _private(host)


def pin(host: str, port: int, settings: Settings) -> Pinned:
    """The address behind a name, if we may connect there. Of several, all have to be allowed."""
    try:
        found = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    except (OSError, UnicodeError):
        raise AddressRefused(f"There is no machine called {host}. Is the name right?") from None
    addresses = [str(entry[4][0]).partition("%")[0] for entry in found]
    for address in addresses:
        if not is_allowed(ipaddress.ip_address(address), settings):
            raise _private(host)
    return Pinned(host, port, addresses[0])


def _private(host: str) -> AddressRefused:
    return AddressRefused(
        f"{host} is a private address, and those are not reached from here. An administrator can allow it with "
        "the setting allowed_addresses."
    )


def is_allowed(address: Address, settings: Settings) -> bool:
    """Whether it is in the open internet, or was allowed."""
    if any(address in network for network in settings.allowed_addresses):
        return True
    inner = _inside(address)
    if inner is not None:
        return is_allowed(inner, settings)
    if isinstance(address, ipaddress.IPv6Address) and (address.is_site_local or address in DOCUMENTATION):
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def _inside(address: Address) -> Address | None:
    """The IPv4 address that an IPv6 one carries."""
    if isinstance(address, ipaddress.IPv4Address):
        return None
    if address in NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)
