"""A page between its check and its outcome, and the page that it was found to repeat."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from dedup.index.judge import Kinship
from dedup.schemes import Comparison
from dedup.store import Record
from dedup.verdict import Relation


class Verdict(StrEnum):
    """What a page is, by its text."""

    NEW = "new"
    DUPLICATE = "duplicate"
    REVISIT = "revisit"
    SKIPPED = "skipped"


class State(StrEnum):
    """Where a claim stands."""

    OPEN = "open"
    COMMITTED = "committed"
    RELEASED = "released"


@dataclass(frozen=True, slots=True)
class Match:
    """A page that another has to do with, and how.

    ``claim`` is set if that page is only reserved so far.
    """

    record: Record
    kinship: Kinship
    claim: Claim | RemoteClaim | None = None

    @property
    def original(self) -> Record:
        """That page as it is now: what it gave is known once it was exported."""
        return self.record if self.claim is None else self.claim.record

    @property
    def comparison(self) -> Comparison:
        """Of the fingerprints of the two pages."""
        return self.kinship.comparison

    @property
    def relation(self) -> Relation:
        """Of the later page to this one."""
        return self.kinship.relation

    @property
    def certain(self) -> bool:
        """Whether this page was exported, whatever else happens."""
        return self.claim is None and self.record.exported

    @property
    def may_count(self) -> bool:
        """Whether this page was exported or still may be."""
        return self.claim is not None or self.record.exported

    @property
    def rank(self) -> tuple[bool, bool, float, int, int]:
        """Orders matches, the best last.

        Exported pages before those in flight before those that gave no item; then the most alike;
        then the oldest.
        """
        comparison = self.comparison
        age = self.record.page_id if self.claim is None else self.claim.reservation or 0
        return (
            self.certain,
            self.claim is not None,
            comparison.similarity,
            -(comparison.distance or 0),
            -age,
        )

    @property
    def closeness(self) -> tuple[float, tuple[bool, bool, float, int, int]]:
        """Orders the matches of a page that is kept: first by how little of it is new."""
        return -self.kinship.new, self.rank


@dataclass(slots=True, eq=False, kw_only=True)
class Settling:
    """Something whose outcome others wait for."""

    state: State = State.OPEN
    _listeners: list[Callable[[], None]] = field(default_factory=list)

    def on_settled(self, listener: Callable[[], None]) -> None:
        """Call a function once this is committed or released; now if it already is."""
        if self.state is State.OPEN:
            self._listeners.append(listener)
        else:
            listener()

    @property
    def is_awaited(self) -> bool:
        """Whether somebody is to be called once this is settled."""
        return bool(self._listeners)

    def settle(self, state: State) -> None:
        """Record the outcome and tell whoever waits for it."""
        self.state = state
        listeners, self._listeners = self._listeners, []
        for listener in listeners:
            listener()


@dataclass(slots=True, eq=False)
class Claim(Settling):
    """One page between its check and its outcome."""

    record: Record
    verdict: Verdict
    match: Match | None = None  # the page repeated, or of a new page the one nearest to it
    reservation: int | None = None
    reason: str = ""  # why it was skipped
    text: bytes = b""  # title and main text, packed, where it is kept
    alone: bool = False  # its request was unknown at its check, and no page of it came since


@dataclass(slots=True, eq=False, weakref_slot=True)
class RemoteClaim:
    """A page in flight in another process; it does not call back, its state must be polled.

    Once it is no longer open it counts as released, whatever became of it: if it was exported, a
    page decided again finds it in the store.
    """

    record: Record
    reservation: int
    refresh: Callable[[], None]  # brings the state up to date; cheap to call often
    state: State = State.OPEN
