"""A forum that puts a new session into the links of each page that is asked for without cookies."""

from hashlib import sha256

from crawler.demo.traps.page import Link, Page, Shown, Target, number_of
from crawler.demo.traps.writing import written

THREADS = 30
A_LIST = 10
LISTS = THREADS // A_LIST
REAL = tuple(f"/forum/thread/{number}" for number in range(1, THREADS + 1))


def forum(target: Target) -> Shown:
    """/forum/?page=N and /forum/thread/N; the session in the query changes nothing but links."""
    session = sha256(target.url.encode()).hexdigest()[:16]
    match target.segments:
        case ():
            number = number_of(target.value("page") or "1", LISTS)
            return None if number is None else _list(number, session)
        case ("thread", text):
            number = number_of(text, THREADS)
            return None if number is None else _thread(number, session)
    return None


def _list(number: int, session: str) -> Page:
    first = (number - 1) * A_LIST + 1
    rows = tuple(
        Link(f"/forum/thread/{thread}?sid={session}", written(f"thread {thread}").title)
        for thread in range(first, first + A_LIST)
    )
    others = (other for other in range(1, LISTS + 1) if other != number)
    links = tuple(Link(f"/forum/?page={n}&sid={session}", f"Page {n}") for n in others)
    return Page(f"Forum, page {number}", f"list:forum/{number}", rows=rows, links=links)


def _thread(number: int, session: str) -> Page:
    text = written(f"thread {number}")
    around = {"Previous thread": number - 1, "Next thread": number + 1}
    links = tuple(
        Link(f"/forum/thread/{to}?sid={session}", label)
        for label, to in around.items()
        if 1 <= to <= THREADS
    )
    home = Link(f"/forum/?sid={session}", "All threads")
    return Page(text.title, f"forum:{number}", text.paragraphs, links=(home, *links))
