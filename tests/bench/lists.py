"""The first page of a list, at 10,000 and at 1,000,000 data marts, and against listing with Cedar."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Engine, select, update
from sqlalchemy.orm import Session

from bailiwick.access.tables.ownership.data_mart import OWNERSHIP_ADDS
from bailiwick.access.tables.standing import PROJECT_ROLE
from bailiwick.access.world import records
from bailiwick.database.engine import Database
from tests.bench.databases import BACKENDS, databases
from tests.bench.measure import Result, Say, in_turn
from tests.bench.peers import Cedar
from tests.mart_shape import LISTING, PROJECT_ID, BusinessOwner, DataMart, TechnicalOwner, fill, member_id, settle

PAGE, FEW = 50, 10_000
ROUNDS = 51
CEDAR_PAGES, CEDAR_ROUNDS = 25, 5
MEMBER = member_id(7)
WHO = {"nearly all": "Technical User", "3 %": "Business User", "what they own": "Business User"}


def run(say: Say, quick: bool) -> Iterator[Result]:
    many = 100_000 if quick else 1_000_000
    by_cedar: dict[str, ByCedar] = {}
    with databases() as new_database:
        for backend, name in BACKENDS.items():
            few, lots = new_database(backend), new_database(backend)
            say(f"filling {name} with {many:,} data marts and their owners")
            fill(few.engine, FEW)
            fill(lots.engine, many)
            for who, role in WHO.items():
                if who == "what they own":
                    say(f"closing all data marts to Business Users on {name}")
                    close(few.engine)
                    close(lots.engine)
                say(f"listing on {name} for a member who sees {who}")
                if who not in by_cedar:
                    by_cedar[who] = ByCedar(few, role)
                with few.read() as in_few, lots.read() as in_lots:
                    by_size = _by_size(in_few, in_lots, role)
                    by_way = _by_way(in_few, by_cedar[who], role)
                yield Result(
                    f"{name}: page 1 of {many:,} data marts, sees {who}",
                    by_size["lots"],
                    f"of {FEW:,}",
                    by_size["few"],
                    by_size["lots"] / by_size["few"],
                    at_most=5,
                )
                yield Result(
                    f"{name}: page 1 of {FEW:,} data marts, sees {who}",
                    by_way["ours"],
                    "cedarpy, all in one batch",
                    by_way["cedar"],
                    by_way["cedar"] / by_way["ours"],
                    at_least=100,
                )


def _by_size(few: Session, lots: Session, role: str) -> dict[str, float]:
    assert len(first_page(lots, role)) == PAGE
    return in_turn(ROUNDS, {"few": lambda: first_page(few, role), "lots": lambda: first_page(lots, role)})


def _by_way(few: Session, by_cedar: ByCedar, role: str) -> dict[str, float]:
    assert first_page(few, role) == by_cedar.first_page()
    pages = range(CEDAR_PAGES)  # one is too short to time beside a batch
    spent = in_turn(
        CEDAR_ROUNDS, {"ours": lambda: [first_page(few, role) for _ in pages], "cedar": by_cedar.first_page}
    )
    return {"ours": spent["ours"] / CEDAR_PAGES, "cedar": spent["cedar"]}


def first_page(session: Session, role: str) -> list[UUID]:
    """From knowing who asks to rows in hand."""
    known = {PROJECT_ROLE: role, OWNERSHIP_ADDS: "no"}
    scope = [DataMart.project_id == PROJECT_ID]
    seen = LISTING.allowed("See", MEMBER, known, scope=scope, limit=PAGE).subquery()
    rows = select(DataMart.__table__).join(seen, seen.c.id == DataMart.id).order_by(DataMart.name, DataMart.id)
    return [row.id for row in session.execute(rows)]


def close(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(
            update(DataMart).where(DataMart.available_for_reporting).values(available_for_reporting=False)
        )
    settle(engine)


class ByCedar:
    """All data marts of a database with Cedar's policies and entities prepared, and every request written out."""

    def __init__(self, database: Database, role: str) -> None:
        marts = data_marts_of(database)
        owners = frozenset[str]().union(*(mart.technical_owners | mart.business_owners for mart in marts))
        self.ids = [UUID(mart.id) for mart in marts]
        self.cedar = Cedar(dict.fromkeys((*owners, str(MEMBER)), role), marts)
        self.requests = [self.cedar.request(str(MEMBER), mart.id, "See") for mart in marts]

    def first_page(self) -> list[UUID]:
        answers = self.cedar.check_all(self.requests)
        return [id_ for id_, answer in zip(self.ids, answers, strict=True) if answer.allowed][:PAGE]


def data_marts_of(database: Database) -> Sequence[records.DataMart]:
    """In the order of the list."""
    project = records.Project(str(PROJECT_ID))
    with database.read() as session:
        technical, business = (
            owners_of(session.execute(select(table.__table__))) for table in (TechnicalOwner, BusinessOwner)
        )
        rows = session.execute(select(DataMart.__table__).order_by(DataMart.name, DataMart.id))
        return [
            records.DataMart(
                str(row.id),
                project,
                frozenset(technical[row.id]),
                frozenset(business[row.id]),
                row.available_for_reporting,
                row.available_for_maintenance,
            )
            for row in rows
        ]


def owners_of(rows: Any) -> dict[UUID, list[str]]:
    found = defaultdict(list)
    for row in rows:
        found[row.data_mart_id].append(str(row.member_id))
    return found
