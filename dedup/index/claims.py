"""Claims (pages between check and outcome), and their matches (the pages that they repeat)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from dedup.index.judge import Kinship
from dedup.schemes import Comparison
from dedup.store import Record
from dedup.verdict import Headings, Relation


class Verdict(StrEnum):
    """The verdict on a page, by its text."""

    NEW = "new"
    DUPLICATE = "duplicate"
    REVISIT = "revisit"
    SKIPPED = "skipped"


class State(StrEnum):
    OPEN = "open"
    COMMITTED = "committed"
    RELEASED = "released"


@dataclass(frozen=True, slots=True)
class Match:
    """An earlier page that is related to a later one."""

    record: Record  # The earlier page.
    kinship: Kinship  # How the later page relates to it.
    # The claim of the earlier page if it is only reserved so far.
    claim: Claim | RemoteClaim | None = None
    # The URL of the earlier page or of a plainer copy; empty for that of ``record``.
    name: str = ""
    plain: str = ""  # Why the later page is the plainest of all copies; empty if it is not.

    @property
    def of(self) -> str:
        """The URL that the later page is said to repeat."""
        return self.name or self.record.url

    @property
    def urls(self) -> dict[str, str]:
        """For logs and tags: ``of``, and ``of_first``, the URL of ``record``, if it is another."""
        first = self.record.url
        return {"of": self.of} if self.of == first else {"of": self.of, "of_first": first}

    @property
    def measures(self) -> dict[str, str | float | None]:
        """For logs, tags and commands: the relation, and how much is new and alike."""
        return {
            "relation": self.relation.value,
            "new": round(self.kinship.new, 4),
            "similarity": round(self.comparison.similarity, 4),
            "distance": self.comparison.distance,
        }

    @property
    def original(self) -> Record:
        """The current record of the earlier page: its items are known once it was exported."""
        return self.record if self.claim is None else self.claim.record

    @property
    def comparison(self) -> Comparison:
        """The comparison of the two fingerprints."""
        return self.kinship.comparison

    @property
    def headings(self) -> Headings:
        """How the headings of the two pages differ, by their texts or by their fingerprints."""
        text = self.kinship.text
        found = self.comparison.findings if text is None else text.findings
        return Headings.UNKNOWN if found is None else found.headings

    @property
    def relation(self) -> Relation:
        """The relation of the later page to this one."""
        return self.kinship.relation

    @property
    def certain(self) -> bool:
        """Whether this page is known to be exported."""
        return self.claim is None and self.record.exported

    @property
    def may_count(self) -> bool:
        """Whether this page was exported or still may be."""
        return self.claim is not None or self.record.exported

    @property
    def rank(self) -> tuple[bool, bool, float, int, bool, int]:
        """Sort key for matches, the best last.

        Exported pages are better than pages in flight, and these are better than pages without
        items. Among equals the more similar page is better, then one with the same heading, then
        the older one.
        """
        comparison, found = self.comparison, self.comparison.findings
        age = self.record.page_id if self.claim is None else self.claim.reservation or 0
        return (
            self.certain,
            self.claim is not None,
            comparison.similarity,
            -(comparison.distance or 0),
            found is not None and found.headings is Headings.SAME,
            -age,
        )

    def as_kin(self, relation: Relation) -> Match:
        """A copy with another relation and no claim, for a later page that is exported anyway."""
        return replace(self, claim=None, kinship=replace(self.kinship, relation=relation))


@dataclass(slots=True, eq=False, kw_only=True)
class Settling:
    """A page or item whose outcome others wait for."""

    state: State = State.OPEN
    _listeners: list[Callable[[], None]] = field(default_factory=list)

    def on_settled(self, listener: Callable[[], None]) -> None:
        """Call a function when this is committed or released; at once if it already is."""
        if self.state is State.OPEN:
            self._listeners.append(listener)
        else:
            listener()

    @property
    def is_awaited(self) -> bool:
        """Whether a function waits for the outcome."""
        return bool(self._listeners)

    def settle(self, state: State) -> None:
        """Set the outcome and call all waiting functions."""
        self.state = state
        listeners, self._listeners = self._listeners, []
        for listener in listeners:
            listener()


@dataclass(slots=True, eq=False)
class Claim(Settling):
    """One page between its check and its outcome."""

    record: Record
    verdict: Verdict
    match: Match | None = None  # The page that it repeats; for a new page the closest related page.
    reservation: int | None = None  # Its ticket while it is reserved.
    reason: str = ""  # Why it was skipped.
    text: bytes = b""  # Its title and main text, packed, if they are kept.
    # Whether its request was unknown at its check and no page of it has come since.
    alone: bool = False
    gave_no_item: bool = False  # Whether the last page of its request gave none.
    canonical_url: str = ""  # The URL that it declares as canonical; empty for none.
    named: Sequence[bytes] = ()  # Requests of the pages that it is said to be the same as.
    earlier: bytes = b""  # When it is stored: the samples of its earlier visit.


@dataclass(slots=True, eq=False, weakref_slot=True)
class RemoteClaim:
    """A page in flight in another process. It cannot call back, so its state must be polled.

    When it is no longer open, it counts as released, whatever its outcome was. If it was exported,
    a page that is decided again finds it in the store.
    """

    record: Record
    reservation: int
    refresh: Callable[[], None]  # Updates the state; cheap to call often.
    state: State = State.OPEN  # Its last known state.
