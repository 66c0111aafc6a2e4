"""The address of a shared store, as in NEARDUP_STORE.

    redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE][?prefix=NAME]     rediss:// with TLS
    unix://[USER:PASSWORD@]/PATH/OF/SOCKET[?db=DATABASE&prefix=NAME]
    redis+cluster://[USER:PASSWORD@]HOST:PORT,HOST:PORT...[/][?prefix=NAME]

Other parameters of one server are passed to redis-py: ``ssl_ca_certs``, ``client_name`` ... A
cluster takes no other parameters. In a user, a password or a parameter, characters with a meaning
in addresses are percent-encoded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import SplitResult, parse_qs, unquote, urlencode, urlsplit

ONE_SERVER = ("redis", "rediss", "unix")
CLUSTER = ("redis+cluster", "rediss+cluster")
URL_SCHEMES = tuple(f"{scheme}://" for scheme in (*ONE_SERVER, *CLUSTER))
DEFAULT_NAME = "neardup"
DEFAULT_PORT = 6379
DEFAULT_HOST = "localhost"
_THIS_MACHINE = frozenset((DEFAULT_HOST, "127.0.0.1", "::1", "[::1]"))
_NAME = re.compile(r"[\w.-]+", re.ASCII)
_ENCODED = "a '/', '?', '#', '[' or ']' in a password is written as %2F, %3F, %23, %5B or %5D"


@dataclass(frozen=True, slots=True)
class Address:
    """One server, or several servers of one cluster, and the name of an index there."""

    url: str = field(repr=False)  # The URL of one server, for redis-py; empty for a cluster.
    # Host and port of the cluster nodes that are asked for the other nodes.
    nodes: tuple[tuple[str, int], ...]
    name: str  # The name of the index; its keys begin with it.
    shown: str  # The address for messages, without a password.
    user: str | None = None  # User name for the login to a cluster.
    password: str | None = field(default=None, repr=False)  # Password for the login to a cluster.
    tls: bool = False  # Whether connections to a cluster use TLS.

    @property
    def database(self) -> tuple[object, ...]:
        """Equal for two addresses of one database, whatever the login and the options are.

        Names of one host differ, except those of this machine.
        """
        if self.nodes:
            return tuple(sorted({(_place_of(host), port) for host, port in self.nodes}))
        parts = urlsplit(self.url)
        is_socket = parts.scheme == "unix"
        path = "" if is_socket else parts.path.strip("/")
        number = parse_qs(parts.query).get("db", [path])[0]
        database = number.lstrip("0") or "0"
        if is_socket:
            return unquote(parts.path), database
        return _place_of(parts.hostname or DEFAULT_HOST), parts.port or DEFAULT_PORT, database


def parse_address(text: str) -> Address:
    """Parse an address.

    Raises ValueError if the address is invalid; the message gives the reason. It quotes nothing
    that may be part of a password. If a password contains a slash, even the port may be part of it.
    """
    try:
        parts = urlsplit(text)
    except ValueError:
        raise ValueError(f"is no address of a server; {_ENCODED}") from None
    if "@" in parts.path + parts.query + parts.fragment:
        raise ValueError(f"has an '@' after its server; {_ENCODED}, and '@' as %40")
    query = parse_qs(parts.query)
    query.pop("prefix", None)
    name = parse_qs(parts.query, keep_blank_values=True).get("prefix", [DEFAULT_NAME])[-1]
    if not _NAME.fullmatch(name):
        wrong = _NAME.sub("", name)[:1]
        allowed = "letters, digits, '.', '_' and '-' may be in it"
        raise ValueError(f"has {repr(wrong) if wrong else 'nothing'} in its prefix: {allowed}")
    host = parts.netloc.rpartition("@")[2]
    if parts.scheme == "unix" and not parts.path.strip("/"):
        raise ValueError("names no socket: unix:///path/of/socket")
    if parts.scheme != "unix" and not host:
        raise ValueError(f"names no server: {parts.scheme}://HOST:PORT")
    shown = f"{parts.scheme}://{host}{parts.path}"
    if parts.scheme in CLUSTER:
        return _cluster(parts, query, name, shown)
    if parts.scheme != "unix":
        _check_server(parts)
    database = query.get("db", [""])[0]  # redis-py takes the first one.
    shown += f"?db={database}" if database.isdecimal() else ""
    url = text.partition("?")[0] + (f"?{urlencode(query, doseq=True)}" if query else "")
    return Address(url, (), name, shown)


def _check_server(parts: SplitResult) -> None:
    try:
        _ = parts.port
    except ValueError:
        allowed = "a number from 0 to 65535"
        raise ValueError(f"is no address of a server: its port is not {allowed}") from None
    if parts.path.strip("/") and not parts.path[1:].isdecimal():
        raise ValueError("names a database by a word: databases have numbers")


def _cluster(parts: SplitResult, query: Iterable[str], name: str, shown: str) -> Address:
    for parameter in query:
        raise ValueError(f"has the parameter {parameter!r}: a cluster takes prefix only")
    if parts.path.strip("/"):
        raise ValueError("names a database: a cluster has none to choose from")
    login, _, hosts = parts.netloc.rpartition("@")
    user, _, password = login.partition(":")
    return Address(
        "",
        tuple(_host_and_port(*place) for place in enumerate(hosts.split(","), start=1)),
        name,
        shown,
        unquote(user) or None,
        unquote(password) or None,
        parts.scheme.startswith("rediss"),
    )


def _host_and_port(number: int, text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":") if ":" in text else (text, "", str(DEFAULT_PORT))
    if not host or not port.isdecimal():
        raise ValueError(f"has a server number {number} that is no HOST:PORT; commas part them")
    return host, int(port)


def _place_of(host: str) -> str:
    return DEFAULT_HOST if host.lower() in _THIS_MACHINE else host.lower()
