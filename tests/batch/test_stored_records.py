"""Records of other kinds than JSON lines become JSON."""

from __future__ import annotations

import json
from base64 import b64decode
from datetime import UTC, datetime
from math import inf, nan
from typing import Any

import pytest

from dedup.batch.sources import Stored


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (nan, None),
        (-inf, None),
        (b"\xff\x00", "/wA="),
        ([1.5, nan, {"of": b"\xff"}], [1.5, None, {"of": "/w=="}]),
        ([("key", b"\xff")], [["key", "/w=="]]),
        (datetime(2020, 1, 2, tzinfo=UTC), "2020-01-02 00:00:00+00:00"),
    ],
)
def test_a_value_is_written_as_json_has_it(value: Any, written: Any) -> None:
    line = Stored(0, {"value": value}).as_json(["html"]) or ""

    def no_json(constant: str) -> None:
        raise AssertionError(constant)

    assert json.loads(line, parse_constant=no_json) == {"value": written}


def test_octets_of_a_page_are_decoded_as_html() -> None:
    page = Stored(0, {"html": "<p>ü</p>".encode("latin-1")}, content_type="text/html")
    assert json.loads(page.as_json(["html"]) or "") == {"html": "<p>ü</p>"}


def test_a_binary_body_is_whole_in_base64_whatever_it_is_called() -> None:
    body = b"%PDF-1.7\n\xe2\xe3\xcf\xd3"
    line = Stored(0, {"html": body}, content_type="text/html").as_json(["html"]) or ""
    assert b64decode(json.loads(line)["html"]) == body
