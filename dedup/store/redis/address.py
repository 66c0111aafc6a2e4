"""Where a shared store is, as NEARDUP_STORE says it.

    redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE][?prefix=NAME]     rediss:// with TLS
    unix://[USER:PASSWORD@]/PATH/OF/SOCKET[?db=DATABASE&prefix=NAME]
    redis+cluster://[USER:PASSWORD@]HOST:PORT,HOST:PORT...[/][?prefix=NAME]

Other parameters of one server are handed to redis-py: ``ssl_ca_certs``, ``client_name`` ...
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import SplitResult, parse_qs, unquote, urlencode, urlsplit

ONE_SERVER = ("redis", "rediss", "unix")
CLUSTER = ("redis+cluster", "rediss+cluster")
SCHEMES = tuple(f"{scheme}://" for scheme in (*ONE_SERVER, *CLUSTER))
DEFAULT_NAME = "neardup"
DEFAULT_PORT = 6379
_NAME = re.compile(r"[\w.-]+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Address:
    """A server, or several of one cluster, and the name of an index there.

    Attributes:
        url: of one server, for redis-py; empty for a cluster.
        nodes: host and port of those of a cluster that are asked for the others.
        name: of the index; its keys begin with it.
        shown: the address for people, without a password.
        user: to log in as, on a cluster.
        password: the same.
        tls: whether a cluster is spoken to with TLS.
    """

    url: str
    nodes: tuple[tuple[str, int], ...]
    name: str
    shown: str
    user: str | None = None
    password: str | None = None
    tls: bool = False


def parse_address(text: str) -> Address:
    """Read an address.

    Raises:
        ValueError: it is none; the message says why, and never has a password in it.
    """
    try:
        parts = urlsplit(text)
        _ = parts.port if parts.scheme in ONE_SERVER else None
    except ValueError as error:
        raise ValueError(f"is no address of a server ({error})") from None
    query = parse_qs(parts.query)
    name = query.pop("prefix", [DEFAULT_NAME])[-1]
    if not _NAME.fullmatch(name):
        raise ValueError(f"has the prefix {name!r}: letters, digits, '.', '_' and '-' may be in it")
    host = parts.netloc.rpartition("@")[2]
    if parts.scheme == "unix" and not parts.path.strip("/"):
        raise ValueError("names no socket: unix:///path/of/socket")
    if parts.scheme != "unix" and not host:
        raise ValueError(f"names no server: {parts.scheme}://HOST:PORT")
    shown = f"{parts.scheme}://{host}{parts.path}"
    if parts.scheme in CLUSTER:
        return _cluster(parts, host, name, shown)
    if parts.scheme != "unix" and parts.path.strip("/") and not parts.path[1:].isdecimal():
        raise ValueError(f"names the database {parts.path[1:]!r}: databases have numbers")
    url = text.partition("?")[0] + (f"?{urlencode(query, doseq=True)}" if query else "")
    return Address(url, (), name, shown)


def without_password(text: str) -> str:
    """An address for people, be it a good one or not."""
    return re.sub(r"//.*@", "//...@", text)


def _cluster(parts: SplitResult, hosts: str, name: str, shown: str) -> Address:
    login = parts.netloc.rpartition("@")[0]
    user, _, password = login.partition(":")
    return Address(
        "",
        tuple(_host_and_port(host) for host in hosts.split(",")),
        name,
        shown,
        unquote(user) or None,
        unquote(password) or None,
        parts.scheme.startswith("rediss"),
    )


def _host_and_port(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":") if ":" in text else (text, "", str(DEFAULT_PORT))
    if not host or not port.isdecimal():
        raise ValueError(f"names the server {text!r}: HOST:PORT, separated by commas")
    return host, int(port)
