"""The order of queues against a plain model, and how long a request waits at most."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from dedup.urls.order import KEPT, REFRESHED_AFTER, ROOT, SHARE, Order, name_of, queue_of

LAW = settings(derandomize=True, deadline=None, max_examples=200)
NAMES = "abcdef"
LEVELS = ("a.example", "a.example /tea", "a.example /tea?q")
WORTHS = st.fixed_dictionaries(dict.fromkeys(NAMES, st.floats(0, 1)))
# None: the next one. Requests come faster than they go, so that most queues wait.
STEPS_DONE = st.lists(st.sampled_from([*NAMES, None, None, None]), min_size=60, max_size=150)


class Frontier:
    """Requests in queues, with numbers as they come; each queue's first one is told to an order."""

    def __init__(self, worth: Callable[[str], float]) -> None:
        self.order = Order(worth)
        self.queues: defaultdict[str, deque[int]] = defaultdict(deque)
        self.number = 0
        self.turns = 0

    def __len__(self) -> int:
        return sum(map(len, self.queues.values()))

    def push(self, name: str) -> int:
        self.number += 1
        self.queues[name].append(self.number)
        if name not in self.order:
            self.order.set(name, self.number)
        return self.number

    def pop(self) -> tuple[str, int] | None:
        name = self.order.next()
        if name is None:
            return None
        self.turns += 1
        number = self.queues[name].popleft()
        self.order.set(name, self.queues[name][0] if self.queues[name] else None)
        return name, number

    def firsts(self) -> dict[str, int]:
        return {name: queue[0] for name, queue in self.queues.items() if queue}


@LAW
@given(WORTHS, STEPS_DONE)
def test_the_worthiest_comes_first_and_one_in_some_is_the_oldest(
    worths: dict[str, float], steps: list[str | None]
) -> None:
    def rank(name: str) -> tuple[float, int]:
        first = waiting.firsts()[name]
        return -worths[name] / (first + 1) ** (1 / ROOT), first

    waiting = Frontier(worths.__getitem__)
    for step in steps:
        if step is not None:
            waiting.push(step)
            continue
        firsts = waiting.firsts()
        is_oldest = (waiting.turns + 1) % SHARE == 0
        expected = min(firsts, key=firsts.__getitem__ if is_oldest else rank, default=None)
        first = firsts.get(expected or "")
        assert waiting.pop() == (None if expected is None else (expected, first))
        assert len(waiting.order) == len(waiting.firsts())


@LAW
@given(st.integers(0, 1 << 32), STEPS_DONE)
def test_nothing_is_lost_and_nothing_waits_too_long_however_worth_changes(
    seed: int, steps: list[str | None]
) -> None:
    worths, chance = dict.fromkeys(NAMES, 1.0), Random(seed)
    waiting = Frontier(worths.__getitem__)
    latest: dict[int, int] = {}  # by the number of a request, the turn by which it comes
    while steps or len(waiting):
        worths[chance.choice(NAMES)] = chance.random()
        step = steps.pop() if steps else None
        if step is not None:
            before = len(waiting)
            latest[waiting.push(step)] = waiting.turns + SHARE * (before + 1)
        elif popped := waiting.pop():
            assert waiting.turns <= latest.pop(popped[1])
    assert not latest
    assert waiting.order.next() is None


def test_the_oldest_comes_one_time_in_some_however_little_it_is_worth() -> None:
    waiting = Frontier({"good": 1.0, "bad": 0.0}.__getitem__)
    for _ in range(5):
        waiting.push("bad")
    came = []
    for _ in range(5 * SHARE):
        waiting.push("good")
        popped = waiting.pop()
        assert popped is not None
        came.append(popped[0])
    assert came == [*["good"] * (SHARE - 1), "bad"] * 5


def test_of_two_queues_the_one_of_half_the_worth_comes_first_if_it_is_much_older() -> None:
    worths = {"old": 0.5, "new": 1.0}
    for first, number, expected in ((3, 4 * 2**ROOT, "old"), (3, 4 * 2**ROOT - 2, "new")):
        order = Order(worths.__getitem__)
        order.set("old", first)
        order.set("new", number)
        assert order.next() == expected


def test_a_queue_keeps_its_place_while_its_worth_falls_only_a_little() -> None:
    worths = {"a": 1.0, "b": 0.999}
    order = Order(worths.__getitem__)
    order.set("a", 9)
    order.set("b", 9)
    assert order.next() == "a"
    worths["a"] = KEPT + 0.001
    assert order.next() == "a"
    worths["a"] = KEPT - 0.01
    assert order.next() == "b"


def test_a_queue_that_becomes_worth_more_or_less_is_noticed() -> None:
    worths = {"a": 0.9, "b": 0.5}
    waiting = Frontier(worths.__getitem__)
    for _ in range(4 * REFRESHED_AFTER):
        waiting.push("a")
        waiting.push("b")
    assert waiting.pop() == ("a", 1)
    worths["a"] = 0.1
    assert waiting.pop() == ("b", 2)
    worths["a"] = 1.0
    found = [popped[0] for _ in range(REFRESHED_AFTER + SHARE) if (popped := waiting.pop())]
    assert found[-SHARE:].count("a") >= SHARE - 1


def test_queues_are_set_again_and_left_out_at_any_time() -> None:
    order = Order(lambda _: 0.5)
    order.set("never", None)
    assert order.next() is None
    for number in range(1, 9):
        order.set("a", number)
    order.set("b", 5)
    assert order.next() == "b"
    order.set("b", None)
    assert (len(order), "b" in order, "a" in order) == (1, False, True)
    assert order.next() == "a"
    order.set("a", None)
    order.set("a", 9)
    assert [order.next() for _ in range(3 * REFRESHED_AFTER)] == ["a"] * 3 * REFRESHED_AFTER


def test_what_is_out_of_date_needs_no_room() -> None:
    order = Order(lambda _: 0.5)
    for number in range(20 * REFRESHED_AFTER):
        order.set("a", number)
        order.next()
    assert len(order._heap) + len(order._ages) <= 4 * REFRESHED_AFTER


def test_many_queues_are_not_all_looked_at_for_each_request() -> None:
    looks = 0

    def worth(_: str) -> float:
        nonlocal looks
        looks += 1
        return 0.5

    waiting = Frontier(worth)
    for number in range(5_000):
        waiting.push(str(number))
    for _ in range(5_000):
        waiting.pop()
    assert len(waiting) == 0
    assert looks < 10 * 5_000


def test_a_new_pattern_beyond_the_limit_shares_the_queue_of_the_finest_one_that_has_one() -> None:
    site, page, _ = LEVELS
    assert queue_of(LEVELS, [], 1) == name_of(LEVELS)
    assert queue_of(LEVELS, [name_of(LEVELS)], 1) == name_of(LEVELS)
    full = [site, name_of((site, page)), "b.example"]
    assert queue_of(LEVELS, full, 4) == name_of(LEVELS)
    assert queue_of(LEVELS, full, 3) == name_of((site, page))
    assert queue_of(LEVELS, ["b.example"], 1) == site
