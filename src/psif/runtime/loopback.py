"""Which addresses are this machine's own, and for whom a request was meant."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit


def is_loopback(host: str) -> bool:
    """Whether an address is this machine's own."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_meant_for(header: str | None, address: str) -> bool:
    """Whether the Host header of a request names a server that listens on ``address``.

    A foreign page can point its own name at this machine (DNS rebinding), but not an address.
    """
    try:
        name = urlsplit(f"//{header or ''}").hostname or ""
    except ValueError:
        return False
    if name == "localhost" or name == address:
        return True
    try:
        found = ipaddress.ip_address(name)
    except ValueError:
        return False
    return found.is_loopback or not is_loopback(address)
