"""Which addresses lead to a machine that only its owner reaches."""

from ipaddress import ip_address
from urllib.parse import urlsplit

_DOMAINS = (".localhost", ".local", ".internal", ".lan")


def is_private(href: str) -> bool:
    """
    Tell whether an address leads to this machine or one of its network, or to a file.

    Nothing is looked up: a public name may still belong to a private machine.
    """
    if href.lower().startswith("file:"):
        return True
    try:
        host = (urlsplit(href).hostname or "").rstrip(".")
    except ValueError:
        return False
    try:
        return not ip_address(host).is_global
    except ValueError:
        return host == "localhost" or host.endswith(_DOMAINS)
