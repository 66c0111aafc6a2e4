"""Addresses of shared stores: what they say, and what is no address."""

from __future__ import annotations

import pytest

from dedup.config import Config
from dedup.store import Place, StoreError, kind_of, show_store
from dedup.store.redis.address import Address, parse_address
from dedup.store.redis.link import make_link

ONE, TWO = "Qz7", "Xw9"  # the halves of a password


def read_setting(store: str) -> str:
    return Config.from_settings({"NEARDUP_STORE": store}).scheme


def repr_of_address(store: str) -> str:
    return repr(parse_address(store))


def link_to(store: str) -> str:
    link = make_link(parse_address(store), 1.0)
    link.close()
    return link.shown


def check_tells_nothing(store: str) -> None:
    said = [show_store(store)]
    for read in (read_setting, repr_of_address, link_to):
        try:
            said.append(read(store))
        except (ValueError, StoreError) as error:
            said.append(str(error))
    assert not [text for text in said if ONE in text or TWO in text]


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


def test_a_path_that_names_nothing_is_left_out() -> None:
    assert parse_address("redis+cluster://one:7001/?prefix=a").nodes == (("one", 7001),)


@pytest.mark.parametrize("scheme", ["redis", "rediss", "redis+cluster"])
def test_what_is_shown_has_no_password(scheme: str) -> None:
    shown = parse_address(f"{scheme}://me:secret@db.example:7000").shown
    assert shown == f"{scheme}://db.example:7000"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("redis://host", "redis://Host:6379/0"),
        ("redis://host/1", "rediss://me:secret@host?db=1&client_name=a"),
        ("redis://host/2?db=1", "redis://host/1"),
        ("redis://host?db=1&db=2", "redis://host/1"),
        ("redis://host/01", "redis://host/1"),
        ("redis://host?db=01", "redis://host/1"),
        (f"redis://host?db={'0' * 5_000}1", "redis://host/1"),
        ("redis://:6379", "redis://localhost"),
        ("redis://[::1]", "redis://[::1]:6379/0"),
        ("redis://localhost:7000", "redis://127.0.0.1:7000"),
        ("redis://[::1]", "redis://localhost"),
        ("unix:///run/redis.sock", "unix://me:secret@/run/redis.sock?db=0"),
        ("unix:///run/a%20b.sock", "unix:///run/a b.sock"),
        ("redis+cluster://one,two:7002", "redis+cluster://two:7002,one:6379/"),
        ("redis+cluster://one,two:7002", "rediss+cluster://me:secret@Two:7002,ONE"),
        ("redis+cluster://localhost:7000", "redis+cluster://127.0.0.1:7000,LOCALHOST:7000"),
    ],
)
def test_two_addresses_of_one_database_are_those_of_one_store(one: str, other: str) -> None:
    kind = kind_of(one)
    assert kind.key(Place(one)) == kind.key(Place(other))


@pytest.mark.parametrize("other", ["?prefix=a", ":7000", "/1", "?db=1"])
def test_another_index_is_another_store(other: str) -> None:
    kind = kind_of("redis://host")
    assert kind.key(Place("redis://host")) != kind.key(Place(f"redis://host{other}"))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("redis://", "names no server"),
        ("redis+cluster://", "names no server"),
        ("unix://", "names no socket"),
        ("redis://me:secret@host:port", "no address"),
        ("redis://host/news", "databases have numbers"),
        ("redis+cluster://one:7001,:7002", "server number 2 .* HOST:PORT"),
        ("redis+cluster://one:x", "server number 1 .* HOST:PORT"),
        ("redis+cluster://one:7001/3", "names a database: a cluster has none"),
        ("redis+cluster://one:7001?prefx=a", "has the parameter 'prefx'"),
        ("rediss+cluster://one:7001?ssl_ca_certs=a", "'ssl_ca_certs': a cluster takes prefix only"),
        ("redis://host?prefix=a:b", "has ':' in its prefix"),
        ("redis://host?prefix=*", r"has '\*' in its prefix"),
        ("redis://host?prefix=", "has nothing in its prefix"),
        ("redis+cluster://one:7001/?prefix", "has nothing in its prefix"),
        ("redis://me:sec/ret@host", "is written as %2F"),
        ("unix://me:sec/ret@/run/redis.sock", "is written as %2F"),
        ("redis://host:66000", "a number from 0 to 65535"),
    ],
)
def test_what_is_no_address_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason) as caught:
        parse_address(text)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("store", "shown"),
    [
        ("leveldb:.scrapy/neardup/store", "leveldb:.scrapy/neardup/store"),
        ("memory:", "memory:"),
        ("redis://me:secret@host:7000/2?prefix=news", "news on redis://host:7000/2"),
        ("redis://host?password=secret", "neardup on redis://host"),
        ("unix://:secret@/run/redis.sock", "neardup on unix:///run/redis.sock"),
        ("unix:///run/redis.sock?db=2&prefix=a", "a on unix:///run/redis.sock?db=2"),
        ("redis://host?db=secret", "neardup on redis://host"),
        ("redis://me:sec/ret@host", "redis://..."),
        ("mongo://me:secret@host", "mongo://..."),
        ("me:secret@host:6379", "..."),
        ("LevelDB:store", "LevelDB:store"),
    ],
)
def test_a_store_is_shown_without_what_may_be_a_password(store: str, shown: str) -> None:
    assert show_store(store) == shown


@pytest.mark.parametrize("between", ["", *"/?#[]@:&=;, %*+\\\n\u2100"])
@pytest.mark.parametrize(
    "form",
    [
        "redis://me:{}@host:6379/0",
        "redis://:{}@host:port",
        "redis://:{}@host/0?prefix=a:b",
        "redis://:{}@host/news",
        "redis://:{}@",
        "redis://host/0?password={}",
        "redis://host/0?password={}&prefix=a*b",
        "redis://host/0?prefix=a&colour=red&password={}",
        "unix://me:{}@/run/redis.sock",
        "unix://me:{}@",
        "redis+cluster://me:{}@one:7001,two",
        "redis+cluster://me:{}@one:x",
        "mongo://me:{}@host",
        "REDIS://me:{}@host",
        "redis:me:{}@host",
        "me:{}@host",
    ],
)
def test_nothing_said_of_an_address_tells_a_part_of_its_password(form: str, between: str) -> None:
    check_tells_nothing(form.format(f"{ONE}{between}{TWO}"))


@pytest.mark.parametrize("between", ["", *"/?#[]:&=;, %*+"])
@pytest.mark.parametrize("form", ["redis://me:{}", "redis+cluster://me:{}", "redis://me:12/{}"])
def test_nor_where_the_server_was_forgotten(form: str, between: str) -> None:
    check_tells_nothing(form.format(f"{ONE}{between}{TWO}"))
