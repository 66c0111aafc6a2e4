"""The spider's arguments: what they are read as, and what is said of a wrong one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from crawler.arguments import Arguments, parse_start, site_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, r"argument start: not given; .*-a start=https://"),
        ({"start": " , "}, r"argument start: not given"),
        ({"start": "example.com"}, r"argument start: 'example.com' is neither an http"),
        ({"start": "ftp://a.b/"}, r"argument start: 'ftp://a.b/' is not an http"),
        ({"start": "http://"}, r"argument start: 'http://' is not an http"),
        ({"start": "http://a:b/"}, r"argument start: 'http://a:b/' is not an http"),
        ({"start": "http://a.b,c.d/"}, r"argument start: 'http://a.b,c.d/' is not an http"),
        ({"max_pages": "0"}, r"argument max_pages: '0' is not a whole number from 1 up"),
        ({"max_pages": "ten"}, r"argument max_pages: 'ten' is not a whole number"),
        ({"depth": "-1"}, r"argument depth: '-1' is not a whole number from 0 up"),
        ({"depth": "1.5"}, r"argument depth: '1.5' is not a whole number"),
        ({"sitemap": "perhaps"}, r"argument sitemap: 'perhaps' is neither on nor off"),
        ({"strip": "2"}, r"argument strip: '2' is neither on nor off"),
        ({"allow": "ok ("}, r"argument allow: '\(' is not a regular expression"),
        ({"deny": "[a"}, r"argument deny: '\[a' is not a regular expression"),
        ({"maxpages": "3"}, r"argument maxpages: unknown; allowed are start, allow, deny"),
    ],
)
def test_a_bad_argument_is_one_clear_sentence(arguments: dict[str, str], message: str) -> None:
    given = arguments if not arguments or "start" in arguments else {"start": "http://a.b/"}
    with pytest.raises(ValueError, match=f"^{message}") as caught:
        Arguments.parse({**given, **arguments})
    assert "\n" not in str(caught.value)


def test_a_file_without_urls_is_said(tmp_path: Path) -> None:
    seeds = tmp_path / "my seeds.txt"
    seeds.write_text("# nothing yet\n")
    with pytest.raises(ValueError, match="is a file without a URL"):
        parse_start(str(seeds))
    seeds.write_text("http://a.b/#top # comment\nHTTP://A.B/x\n")
    assert parse_start(str(seeds)) == ("http://a.b/#top", "http://a.b/x")


def test_start_urls_may_hold_commas() -> None:
    assert parse_start("http://a/x,y,http://b/, https://c\nhttp://d/") == (
        "http://a/x,y",
        "http://b/",
        "https://c",
        "http://d/",
    )


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("http://Example.com/a", "example.com"),
        ("https://example.com:443/", "example.com"),
        ("http://user:secret@example.com:8080/", "example.com:8080"),
        ("http://www.example.com/", "www.example.com"),
        ("ftp://example.com/", ""),
        ("http://example.com:99999999/", ""),
        ("http://[bad", ""),
    ],
)
def test_a_site_is_a_host_and_a_port(url: str, site: str) -> None:
    assert site_of(url) == site
