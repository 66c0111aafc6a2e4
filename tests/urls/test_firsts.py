"""Which value came first with a key, in bounded memory."""

from __future__ import annotations

from dedup.urls.firsts import Firsts


def test_a_value_is_another_one_unless_it_came_first() -> None:
    firsts = Firsts()
    assert [firsts.note(1, value) for value in (7, 8, 7, 0)] == [False, True, False, True]
    assert not firsts.note(2, 8)


def test_a_first_value_of_zero_is_one() -> None:
    firsts = Firsts()
    assert [firsts.note(0, value) for value in (0, 1)] == [False, True]


def test_room_is_bounded_and_the_latest_keys_stay() -> None:
    firsts = Firsts(most=10)
    for key in range(100):
        firsts.note(key, 1)
        assert len(firsts._latest) + len(firsts._former) <= 20
        assert all(firsts.note(one, 2) for one in range(max(0, key - 9), key + 1))


def test_the_next_value_is_the_first_once_that_is_forgotten() -> None:
    firsts = Firsts()
    firsts.note(1, 7)
    firsts.forget(1, 8)
    assert firsts.note(1, 8)
    firsts.forget(1, 7)
    assert not firsts.note(1, 8)
