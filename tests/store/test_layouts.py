"""Permuted tables: which bits they bring to the front, and that they miss nothing."""

from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dedup.store.layouts import LAYOUTS, Table, largest_radius, make_tables, prefix_width

LAW = settings(derandomize=True, deadline=None, max_examples=400)


class Layout(NamedTuple):
    bits: int
    radius: int
    tables: tuple[Table, ...]


ALL = [
    Layout(bits, radius, make_tables(name, bits, radius))
    for name in LAYOUTS
    for bits in (64, 128)
    for radius in range(1, largest_radius(name, bits) + 1)
]

SHORT = [
    Layout(bits, radius, make_tables("blocks", bits, radius, width))
    for bits in (64, 128)
    for radius in range(1, largest_radius("blocks", bits) + 1)
    for width in (8, 12)
]


@LAW
@given(st.data(), st.sampled_from(ALL + SHORT))
def test_words_within_the_radius_share_a_probe(data: st.DataObject, layout: Layout) -> None:
    word = data.draw(st.integers(0, (1 << layout.bits) - 1))
    bits = st.sets(st.integers(0, layout.bits - 1), max_size=layout.radius)
    other = word ^ sum(1 << bit for bit in data.draw(bits))
    assert any(table.prefix(other) in table.probes(word) for table in layout.tables)


@pytest.mark.parametrize("layout", ALL)
def test_flips_spread_over_the_blocks_are_found_too(layout: Layout) -> None:
    word = 0x0123456789ABCDEFFEDCBA9876543210 & ((1 << layout.bits) - 1)
    step = layout.bits // layout.radius
    for start in range(step):
        other = word ^ sum(1 << (start + step * i) for i in range(layout.radius))
        assert any(table.prefix(other) in table.probes(word) for table in layout.tables)


@pytest.mark.parametrize(
    ("name", "bits", "count", "widths"),
    [
        ("blocks", 64, 4, {16}),
        ("blocks", 128, 8, {16}),
        ("10", 64, 10, {25, 26}),
        ("20", 64, 20, {31, 32, 33}),
        ("16", 64, 16, {28}),
        ("10", 128, 10, {50, 51, 52}),
        ("20", 128, 20, {63, 64, 65}),
        ("16", 128, 16, {56}),
    ],
)
def test_a_layout_has_its_number_of_tables_and_prefix_widths(
    name: str, bits: int, count: int, widths: set[int]
) -> None:
    tables = make_tables(name, bits, 3)
    assert len(tables) == count
    assert {table.width for table in tables} == widths


@pytest.mark.parametrize("layout", ALL)
def test_every_bit_is_in_the_prefix_of_some_table(layout: Layout) -> None:
    covered = {
        bit for table in layout.tables for first, width in table.ranges
        for bit in range(first, first + width)
    }  # fmt: skip
    assert covered == set(range(layout.bits))


@pytest.mark.parametrize("radius", [4, 7])
def test_blocks_beyond_one_bit_a_block_probe_neighbouring_prefixes(radius: int) -> None:
    table = make_tables("blocks", 64, radius)[0]
    assert len(list(table.probes(0))) == 17


@pytest.mark.parametrize(
    ("name", "bits", "radius", "message"),
    [
        ("blocks", 64, 8, "layout blocks searches 64-bit words within distance 1 to 7; got 8"),
        ("blocks", 128, 16, "layout blocks searches 128-bit words within distance 1 to 15; got 16"),
        ("10", 64, 4, "layout 10 searches 64-bit words within distance 1 to 3; got 4"),
        ("20", 64, 0, "layout 20 searches 64-bit words within distance 1 to 3; got 0"),
        ("16", 64, -1, "layout 16 searches 64-bit words within distance 1 to 3; got -1"),
        ("30", 64, 3, "layout must be one of blocks, 10, 20, 16; got '30'"),
    ],
)
def test_what_a_layout_cannot_do_is_an_error_that_says_what_it_can(
    name: str, bits: int, radius: int, message: str
) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        make_tables(name, bits, radius)


@pytest.mark.parametrize(
    ("pages", "width"),
    [(0, 8), (1_000, 8), (32_768, 8), (10**6, 13), (10**7, 16), (10**8, 16), (10**10, 16)],
)
def test_prefixes_are_as_long_as_a_number_of_pages_needs(pages: int, width: int) -> None:
    assert prefix_width(pages) == width


def test_only_blocks_have_shorter_prefixes() -> None:
    assert {table.width for table in make_tables("blocks", 64, 3, 8)} == {8}
    assert make_tables("16", 64, 3, 8) == make_tables("16", 64, 3)
