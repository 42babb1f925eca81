"""Access filters as SQL: each way of being allowed is its own indexed, ordered, limited sub-query, and they are merged.

One condition with all ways joined by OR would make the database walk through everything a member may not see. A way
that follows one index in the order of the list stops as soon as the page is full, however long the list is. What a
member owns is looked up whole and sorted, so owning very much costs accordingly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, SQLColumnExpression, and_, exists, false, or_, select, tuple_, union

from bailiwick.access.compiled import ResourceType
from bailiwick.access.facts import NO_YES, Fact

Relation = frozenset[Fact]  # what a member is to a resource: its Technical Owner, both kinds of owner, nothing at all
Toggles = tuple[int, ...]  # a value for each column that the list does not know beforehand


@dataclass(frozen=True)
class Link:
    """A table that lists the members who are something to a resource: its owners, for example.

    Looking members up in it, and resources, each takes an index."""

    resource: SQLColumnExpression[Any]
    member: SQLColumnExpression[Any]


@dataclass(frozen=True)
class Listing:
    """How the facts of one resource type lie in the database, and how its list is sorted.

    It takes an index on the scope, the columns and the sort key, in this order."""

    type: ResourceType
    id: SQLColumnExpression[Any]
    columns: Mapping[Fact, SQLColumnExpression[bool]]  # facts that are columns beside the id
    links: Mapping[Fact, Link]  # facts that are rows of another table
    order: Sequence[SQLColumnExpression[Any]] = ()  # where these are equal, and without any, the id decides

    def allowed(
        self,
        action: str,
        member: UUID,
        known: Mapping[Fact, str],
        *,
        scope: Sequence[ColumnElement[bool]] = (),
        after: Sequence[Any] | None = None,
        limit: int,
    ) -> Select[Any]:
        """The sort keys, ending with the id, of the resources on which the member may do the action.

        `known` holds the facts that are the same in the whole scope, such as the member's role in the project, and
        `after` is the last row of the page before."""
        key = (*self.order, self.id)
        filters = [*scope, tuple_(*key) > tuple(after)] if after is not None else scope
        pages = [
            select(*key).where(*way, *filters).order_by(*key).limit(limit).subquery()
            for way in self._ways(action, member, known)
        ]
        if not pages:
            return select(*key).where(false())
        found = union(*(select(page) for page in pages)).subquery()
        return select(found).order_by(*found.c).limit(limit)

    def _ways(self, action: str, member: UUID, known: Mapping[Fact, str]) -> Iterator[list[ColumnElement[bool]]]:
        """The conditions of each sub-query."""
        toggles = [fact for fact in self.columns if fact in self.type.stride and fact not in known]
        every = frozenset(product(*(range(len(fact.values)) for fact in toggles)))
        accepted = self._accepted(action, known, toggles, every)
        for relation, excluded in self._kept(accepted).items():
            related = [condition for fact in self.links if fact in relation for condition in self._joined(fact, member)]
            related += [~exists().where(*self._joined(fact, member)) for fact in self.links if fact in excluded]
            values = [self._are(toggles, combination) for combination in sorted(accepted[relation])]
            if not relation:
                # One sub-query a combination: each of them is a single range of the index.
                for value in values:
                    yield [*related, *value]
            elif accepted[relation] == every:
                yield related
            else:
                yield [*related, or_(*(and_(*value) for value in values))]

    def _accepted(
        self, action: str, known: Mapping[Fact, str], toggles: Sequence[Fact], every: frozenset[Toggles]
    ) -> dict[Relation, frozenset[Toggles]]:
        """For each relation a member can have to a resource, the combinations of columns that allow the action."""
        unknown = {f for f in self.type.facts if f not in known and f not in self.links and f not in self.columns}
        if unknown or any(fact.values != NO_YES for fact in (*toggles, *self.links)):
            raise ValueError(f"A list of {self.type.name} cannot work out {unknown or 'facts of more than two values'}")
        values = {fact: fact.values.index(word) for fact, word in known.items()}
        accepted = {relation: frozenset[Toggles]() for relation in self._relations()}
        for way in self.type.ways(action, values):
            relation = frozenset(fact for fact, value in way.pair.items() if value)
            everything = way.resource == ({},)
            accepted[relation] = (
                every if everything else frozenset(tuple(combo[f] for f in toggles) for combo in way.resource)
            )
        return accepted

    def _kept(self, accepted: Mapping[Relation, frozenset[Toggles]]) -> dict[Relation, Relation]:
        """The relations that need a sub-query, each with what a member must not be besides.

        Being more can take something away: then those who are more are left out and have a sub-query of their own.
        Where it does not, whoever is allowed as a lesser one needs no second sub-query."""
        kept: dict[Relation, Relation] = {}
        for relation, combos in accepted.items():
            if combos and not any(
                lesser <= relation and combos <= accepted[lesser] and not relation & excluded
                for lesser, excluded in kept.items()
            ):
                worse = (more for more in accepted if more > relation and not combos <= accepted[more])
                kept[relation] = frozenset[Fact]().union(*worse) - relation
        return kept

    def _relations(self) -> Iterator[Relation]:
        """Every set of links, the lesser ones first."""
        facts = [fact for fact in self.links if fact in self.type.stride]
        return (frozenset(some) for size in range(len(facts) + 1) for some in combinations(facts, size))

    def _joined(self, fact: Fact, member: UUID) -> list[ColumnElement[bool]]:
        link = self.links[fact]
        return [link.resource == self.id, link.member == member]

    def _are(self, toggles: Sequence[Fact], values: Toggles) -> list[ColumnElement[bool]]:
        return [self.columns[fact].is_(bool(value)) for fact, value in zip(toggles, values, strict=True)]
