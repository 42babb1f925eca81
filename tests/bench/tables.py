"""What a check, a grant, the page of tables and completion cost, with few tables and with 100,000."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from uuid import UUID

from sqlalchemy import insert
from sqlalchemy.orm import Session

from bailiwick.database.base import new_id
from bailiwick.database.engine import Database
from bailiwick.lakehouse import grants, tables
from bailiwick.lakehouse.completion import complete
from bailiwick.lakehouse.models import Grant, Layer, Table
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.models import Group, Member
from tests.bench.databases import BACKENDS, databases
from tests.bench.measure import Result, Say, in_turn
from tests.lakehouse.making import COLUMNS, make_grant, make_layer
from tests.mart_shape import SCATTER, settle
from tests.people import as_caller, make_group, make_member

FEWEST, FEW = 10, 100  # that checks and grants, that lists are compared with
ROUNDS, PAGE = 15, 50
OTHERS = 100  # members who hold one table or another, however many there are
OWN = 5  # tables that the member with few grants holds
AT_ONCE = 5  # of what is short to time
AT_MOST = 2
BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
BEGUN = "raw.t"  # with which every table of the layer fits


@dataclass(frozen=True)
class Lakehouse:
    """A database with so many tables, and who asks there."""

    database: Database
    people: dict[str, Caller]
    manager: Caller
    receiver: Member
    ids: list[UUID]  # of tables that everybody of these sees


def run(say: Say, quick: bool) -> Iterator[Result]:
    many, rounds = (5_000, 11) if quick else (100_000, ROUNDS)
    with databases(migrated=True) as new_database:
        for backend, name in BACKENDS.items():
            say(f"filling {name} with {many:,} tables and their grants")
            by_size = {size: make_lakehouse(new_database(backend), size) for size in (FEWEST, FEW, many)}
            say(f"checking, granting, listing and completing on {name}")
            said = f"{name}: a grant and its end among {many:,} tables"
            yield compare(said, grant_and_take, by_size, (many, FEWEST), rounds, AT_ONCE)
            for who in by_size[many].people:
                for what, task, few, times in (
                    ("a check among {:,} tables", check, FEWEST, AT_ONCE),
                    ("page 1 of {:,} tables", first_page, FEW, 1),
                    ("page 1 from the end of {:,} tables", partial(first_page, sort="-name"), FEW, 1),
                    ("page 1 of {:,} tables, latest change first", partial(first_page, sort="-changed"), FEW, 1),
                    ("page 1 of {:,} tables, latest change last", partial(first_page, sort="changed"), FEW, 1),
                    ("completion among {:,} tables", completion, FEW, 1),
                ):
                    said = f"{name}: {what.format(many)}, {who}"
                    yield compare(said, partial(task, who=who), by_size, (many, few), rounds, times)


def compare(
    what: str,
    task: Callable[[Lakehouse], int],
    by_size: dict[int, Lakehouse],
    sizes: tuple[int, int],
    rounds: int,
    times: int = 1,
) -> Result:
    """One against the other; `times` says how often a task does what is measured."""
    many, few = sizes
    found = {task(by_size[size]) for size in sizes}
    assert len(found) == 1, f"{what}: answers of {found} rows cannot be compared"
    spent = in_turn(rounds, {str(size): partial(task, by_size[size]) for size in sizes})
    ours, theirs = spent[str(many)] / times, spent[str(few)] / times
    return Result(what, ours, f"{few:,}", theirs, ours / theirs, at_most=AT_MOST)


# What is asked -------------------------------------------------------------------------------------------------------


def check(lakehouse: Lakehouse, who: str) -> int:
    """Of several tables, each in a transaction of its own, as requests ask."""
    for number in range(AT_ONCE):
        with lakehouse.database.read() as session:
            tables.find_table(session, lakehouse.people[who], lakehouse.ids[number % len(lakehouse.ids)])
    return AT_ONCE


def grant_and_take(lakehouse: Lakehouse) -> int:
    for number in range(AT_ONCE):
        table_id = lakehouse.ids[number % len(lakehouse.ids)]
        with lakehouse.database.session() as session:
            given = grants.give_level(
                session,
                lakehouse.manager,
                "table",
                table_id,
                member=lakehouse.receiver.email,
                group=None,
                level="Viewer",
                expires_at=None,
            )
            grants.take_level(session, lakehouse.manager, "table", table_id, given.grant.id)
    return AT_ONCE


def first_page(lakehouse: Lakehouse, who: str, sort: str = "name") -> int:
    with lakehouse.database.read() as session:
        return len(tables.list_tables(session, lakehouse.people[who], sort=sort, limit=PAGE).items)


def completion(lakehouse: Lakehouse, who: str) -> int:
    with lakehouse.database.read() as session:
        return len(complete(session, lakehouse.people[who], BEGUN, limit=PAGE))


# What is there -------------------------------------------------------------------------------------------------------


def make_lakehouse(database: Database, size: int) -> Lakehouse:
    """That many tables, nine of ten in the layer raw. One member or another holds each of them, a group each on its
    own. Of who asks, one holds a few, one the layer, one is in that group, and one is admin and needs to hold nothing.
    """
    with database.session() as session:
        layers = [make_layer(session, name) for name in ("raw", "trusted")]
        people = {
            "holds few": make_member(session, "Fay Few"),
            "holds the layer": make_member(session, "Liv Layer"),
            "holds each through a group": make_member(session, "Gus Group"),
            "admin": make_member(session, "Adam Admin", role="admin"),
        }
        group = make_group(session, "Analysts", people["holds each through a group"])
        manager, receiver = make_member(session, "Mia Manager"), make_member(session, "Rob Receiver")
        make_grant(session, layers[0], people["holds the layer"])
        make_grant(session, layers[0], manager, "Manager")
        ids = add_tables(session, layers, size, group)
        seen = ids[: size * 9 // 10 : max(1, size // (OWN + 1))][:OWN]
        session.execute(insert(Grant), [granted(layers[0], id_, people["holds few"].id) for id_ in seen])
    if database.engine.dialect.name == "postgresql":
        settle(database.engine)  # as the server does by itself; SQLite does not
    callers = {who: as_caller(member, *([group] if "group" in who else [])) for who, member in people.items()}
    return Lakehouse(database, callers, as_caller(manager), receiver, seen)


def add_tables(session: Session, layers: list[Layer], size: int, group: Group) -> list[UUID]:
    """Their names are in another order than their ids, and so are their changes; a third never changed. The ids; those
    in raw come first."""
    raw, trusted = layers
    others = [make_member(session, f"Other {number}").id for number in range(OTHERS)]
    in_raw = size * 9 // 10
    ids = [new_id() for _ in range(size)]
    session.execute(
        insert(Table),
        [
            {
                "id": id_,
                "layer_id": (raw if number < in_raw else trusted).id,
                "name": f"table_{number * SCATTER & 0xFFFFFFFF:08x}",
                "location": f"tables/{id_}",
                "columns": COLUMNS,
                "changed_at": BEGAN + timedelta(seconds=number * SCATTER & 0xFFFFFF) if number % 3 else None,
            }
            for number, id_ in enumerate(ids)
        ],
    )
    placed = [(raw if number < in_raw else trusted, id_) for number, id_ in enumerate(ids)]
    held = [granted(layer, id_, others[number % OTHERS]) for number, (layer, id_) in enumerate(placed)]
    session.execute(insert(Grant), held)
    session.execute(insert(Grant), [granted(layer, id_, group_id=group.id) for layer, id_ in placed])
    return ids


def granted(
    layer: Layer, table_id: UUID, member_id: UUID | None = None, group_id: UUID | None = None
) -> dict[str, object]:
    holder = {"member_id": member_id, "group_id": group_id}
    return {"layer_id": layer.id, "table_id": table_id, "level": "Viewer", **holder}
