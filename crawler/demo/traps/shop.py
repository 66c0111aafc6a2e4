"""A shop whose list can be filtered and sorted, by parameters in any order."""

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlencode

from crawler.demo.traps.page import Link, Page, Shown, Target, blurb_of, number_of
from crawler.demo.traps.writing import Text, written

PRODUCTS = 20
FILTERS = {
    "color": ("red", "blue", "green", "grey"),
    "size": ("small", "medium", "large"),
    "brand": ("aldo", "brise", "corvin"),
}
SORT = "sort"
ORDERS = ("price", "name", "newest")
REAL = tuple(f"/product/{number}" for number in range(1, PRODUCTS + 1))

Query = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Product:
    """One thing for sale."""

    number: int
    price: int
    traits: dict[str, str]

    @property
    def text(self) -> Text:
        """What its page says."""
        return written(f"product {self.number}", length=(80, 150))


def _product(number: int) -> Product:
    traits = {
        name: values[number * step % len(values)]
        for (name, values), step in zip(FILTERS.items(), (1, 1, 2), strict=True)
    }
    return Product(number, 5 + number * 37 % 90, traits)


STOCK = tuple(_product(number) for number in range(1, PRODUCTS + 1))


def product(target: Target) -> Shown:
    """/product/N"""
    number = number_of(target.last, PRODUCTS)
    if number is None:
        return None
    found = STOCK[number - 1]
    paragraphs = (f"Price: {found.price} coins", *found.text.paragraphs)
    return Page(found.text.title, f"product:{number}", paragraphs)


def shop(target: Target) -> Shown:
    """/shop/?color=..&size=..&brand=..&sort=.., as content the rows whatever their order."""
    if target.segments:
        return None
    query = tuple((name, value) for name, value in target.query if value in _values(name))
    wanted = dict(query)
    order = wanted.pop(SORT, "")
    rows = [found for found in STOCK if wanted.items() <= found.traits.items()]
    content = "list:shop/" + ",".join(str(found.number) for found in rows) if rows else None
    return Page(
        "Shop",
        content,
        rows=tuple(_row(found) for found in _sorted(rows, order)),
        links=tuple(_links(query)),
    )


def _values(name: str) -> tuple[str, ...]:
    return ORDERS if name == SORT else FILTERS.get(name, ())


def _sorted(rows: list[Product], order: str) -> list[Product]:
    if order == "price":
        return sorted(rows, key=lambda found: found.price)
    if order == "name":
        return sorted(rows, key=lambda found: found.text.title)
    return rows[::-1] if order == "newest" else rows


def _row(found: Product) -> Link:
    blurb = f"{found.price} coins. {blurb_of(found.text)}"
    return Link(f"/product/{found.number}", found.text.title, blurb)


def _links(query: Query) -> Iterator[Link]:
    """A link for each value: it is appended, or taken out if it is chosen already."""
    for name in (*FILTERS, SORT):
        for value in _values(name):
            rest = tuple(pair for pair in query if pair[0] != name)
            asked = rest if (name, value) in query else (*rest, (name, value))
            href = f"/shop/?{urlencode(asked)}" if asked else "/shop/"
            yield Link(href, value, nofollow=name == SORT)
