"""Addresses of shared stores: what they say, and what is no address."""

from __future__ import annotations

import pytest

from dedup.store.redis.address import Address, parse_address


def test_a_server_is_handed_on_without_the_prefix() -> None:
    address = parse_address("redis://user:pw@db.example:7000/2?prefix=news&ssl_cert_reqs=none")
    assert address.url == "redis://user:pw@db.example:7000/2?ssl_cert_reqs=none"
    assert (address.name, address.nodes) == ("news", ())


def test_the_prefix_has_a_default() -> None:
    assert parse_address("redis://localhost").name == "neardup"


def test_a_socket_is_named_by_its_path() -> None:
    address = parse_address("unix:///run/redis.sock?db=1&prefix=a")
    assert (address.url, address.name) == ("unix:///run/redis.sock?db=1", "a")


def test_a_cluster_is_named_by_some_of_its_servers() -> None:
    address = parse_address("rediss+cluster://me:p%40ss@one:7001,two:7002,three?prefix=a")
    assert address == Address(
        url="",
        nodes=(("one", 7001), ("two", 7002), ("three", 6379)),
        name="a",
        shown="rediss+cluster://one:7001,two:7002,three",
        user="me",
        password="p@ss",
        tls=True,
    )


@pytest.mark.parametrize("scheme", ["redis", "rediss", "redis+cluster"])
def test_what_is_shown_has_no_password(scheme: str) -> None:
    shown = parse_address(f"{scheme}://me:secret@db.example:7000").shown
    assert shown == f"{scheme}://db.example:7000"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("redis://", "names no server"),
        ("redis+cluster://", "names no server"),
        ("unix://", "names no socket"),
        ("redis://me:secret@host:port", "no address"),
        ("redis://host/news", "databases have numbers"),
        ("redis+cluster://one:7001,:7002", "names the server ':7002'"),
        ("redis+cluster://one:x", "names the server 'one:x'"),
        ("redis://host?prefix=a:b", "prefix 'a:b'"),
        ("redis://host?prefix=*", r"prefix '\*'"),
    ],
)
def test_what_is_no_address_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason) as caught:
        parse_address(text)
    assert "secret" not in str(caught.value)
