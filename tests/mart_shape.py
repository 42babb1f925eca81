"""Tables in the shape of data marts: a project, two toggles, two kinds of owners, and the list over them."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, Engine, Index, String, Table
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.schema import CreateTable

from bailiwick.access.resource_types import RESOURCE_TYPES
from bailiwick.access.tables.ownership.facts import BUSINESS_OWNER, FOR_MAINTENANCE, FOR_REPORTING, TECHNICAL_OWNER
from bailiwick.database.base import Base, Id
from bailiwick.database.visibility import Link, Listing


class MartBase(DeclarativeBase):
    """A base of their own, so that migrations are not compared with them."""

    type_annotation_map = Base.type_annotation_map


class DataMart(MartBase):
    __tablename__ = "shape_data_mart"

    id: Mapped[Id]
    project_id: Mapped[UUID]
    name: Mapped[str] = mapped_column(String(200))
    available_for_reporting: Mapped[bool]
    available_for_maintenance: Mapped[bool]


class TechnicalOwner(MartBase):
    __tablename__ = "shape_technical_owner"
    __table_args__ = (Index("ix_shape_technical_owner_member_id", "member_id", "data_mart_id"),)

    data_mart_id: Mapped[UUID] = mapped_column(primary_key=True)
    member_id: Mapped[UUID] = mapped_column(primary_key=True)


class BusinessOwner(MartBase):
    __tablename__ = "shape_business_owner"
    __table_args__ = (Index("ix_shape_business_owner_member_id", "member_id", "data_mart_id"),)

    data_mart_id: Mapped[UUID] = mapped_column(primary_key=True)
    member_id: Mapped[UUID] = mapped_column(primary_key=True)


IN_ORDER = Index(
    "ix_shape_data_mart_list",
    DataMart.project_id,
    DataMart.available_for_reporting,
    DataMart.available_for_maintenance,
    DataMart.name,
    DataMart.id,
)

LISTING = Listing(
    type=RESOURCE_TYPES["data_mart"],
    id=DataMart.id,
    columns={
        FOR_REPORTING: DataMart.available_for_reporting,
        FOR_MAINTENANCE: DataMart.available_for_maintenance,
    },
    links={
        TECHNICAL_OWNER: Link(TechnicalOwner.data_mart_id, TechnicalOwner.member_id),
        BUSINESS_OWNER: Link(BusinessOwner.data_mart_id, BusinessOwner.member_id),
    },
    order=(DataMart.name,),
)

# Many rows, for plans and benchmarks ---------------------------------------------------------------------------------

PROJECT_ID = UUID(int=1)
SCATTER, SCATTER_TECHNICAL, SCATTER_BUSINESS = 2654435761, 2246822519, 3266489917


def member_id(number: int) -> UUID:
    return UUID(int=10**9 + number)


def fill(engine: Engine, count: int, owned: int = 40) -> None:
    """That many data marts in one project, 97 % of them open to Technical Users and 3 % to Business Users.

    However many there are, a member owns the same number of them, in either way, scattered over the list."""
    numbers, members = range(count), count // owned
    with engine.begin() as connection:
        _load(connection, DataMart, (_mart(number) for number in numbers))
        _load(connection, TechnicalOwner, (_owned(n, n * SCATTER_TECHNICAL, members) for n in numbers))
        _load(connection, BusinessOwner, (_owned(n, n * SCATTER_BUSINESS, members) for n in numbers))
    settle(engine)


def settle(engine: Engine) -> None:
    """Count the rows for the planner, and on PostgreSQL sweep up, as a server does by itself after a while."""
    if engine.dialect.name == "postgresql":
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql("VACUUM ANALYZE")
    else:
        with engine.begin() as connection:
            connection.exec_driver_sql("ANALYZE")


def _mart(number: int) -> tuple[str, str, str, int, int]:
    scattered = number * SCATTER & 0xFFFFFFFF
    open_to = scattered % 100
    return f"{number:032x}", PROJECT_ID.hex, f"mart {scattered:08x}", int(open_to < 3), int(2 < open_to < 97)


def _owned(number: int, scattered: int, members: int) -> tuple[str, str]:
    return f"{number:032x}", member_id((scattered >> 7) % members).hex


def _load(connection: Connection, model: type[MartBase], rows: Iterable[tuple[str | int, ...]]) -> None:
    """The quickest way in: the driver's own, with the indexes made afterwards."""
    table = model.__table__
    assert isinstance(table, Table)
    connection.execute(CreateTable(table))
    driver: Any = connection.connection.driver_connection
    if connection.dialect.name == "postgresql":
        with driver.cursor() as cursor, cursor.copy(f"COPY {table.name} FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)
    else:
        marks = ", ".join("?" * len(table.columns))
        driver.executemany(f"INSERT INTO {table.name} VALUES ({marks})", rows)
    for index in table.indexes:
        index.create(connection)
