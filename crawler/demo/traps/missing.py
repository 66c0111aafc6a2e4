"""Pages that answer well and show nothing: items that do not exist, and members behind a login."""

from crawler.demo.traps.page import Link, Page, Redirect, Shown, Target, number_of
from crawler.demo.traps.writing import written

ITEMS = (7, 18, 33, 52, 90, 121, 147, 203, 248, 296)
LISTED = range(10, 301, 10)
AROUND = 5
MEMBERS = 40
SORRY = (
    "We are sorry. The item that you look for was not found, or it is not for sale any more. Maybe"
    " it was sold this morning, maybe it never was here. Try one of the items before or after it,"
    " or come back when the next barge has been unloaded and all of its crates have been opened."
)
FOR_MEMBERS = (
    "Only members can read this page. Please log in with the name and the password that stand on"
    " your card. Whoever has lost the card gets a new one at the desk in the hall, on any weekday"
    " but Thursday, and whoever is not a member yet can become one there, too."
)
REAL = tuple(f"/item/{number}" for number in ITEMS)


def item(target: Target) -> Shown:
    """/item/, and /item/N for any number; ten have a text, the others are "not found" with 200."""
    if not target.last:
        rows = tuple(Link(f"/item/{number}", f"Item {number}") for number in LISTED)
        return None if target.segments else Page("Items", "list:items", rows=rows)
    number = number_of(target.last)
    if number is None:
        return None
    steps = (step for step in range(-AROUND, AROUND + 1) if step and number + step > 0)
    links = tuple(Link(f"/item/{number + step}", f"{step:+}") for step in steps)
    if number not in ITEMS:
        return Page("Not found", paragraphs=(SORRY,), links=links)
    text = written(f"item {number}", length=(80, 150))
    return Page(text.title, f"item:{number}", text.paragraphs, links=links)


def members(target: Target) -> Shown:
    """/members/, and /members/N, which leads to the login."""
    if not target.segments:
        numbers = range(1, MEMBERS + 1)
        rows = tuple(Link(f"/members/{number}", f"Member {number}") for number in numbers)
        return Page("Members", "list:members", rows=rows)
    return Redirect(f"/login?next=/members/{target.last}") if number_of(target.last) else None


def login(target: Target) -> Shown:
    """/login?next=.., the same form whatever comes next."""
    return None if target.segments else Page("Log in", paragraphs=(FOR_MEMBERS,), form=True)
