"""Two small tables that only the tests of the database layer use."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKey
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from bailiwick.database.base import Base, Encrypted, Id, utc_now


class TestBase(DeclarativeBase):
    """A base of their own, so that migrations are not compared with them."""

    __test__ = False
    type_annotation_map = Base.type_annotation_map


class Note(TestBase):
    __tablename__ = "test_note"

    id: Mapped[Id]
    text: Mapped[str]
    made_at: Mapped[datetime] = mapped_column(default=utc_now)
    credential: Mapped[str | None] = mapped_column(Encrypted)


class Comment(TestBase):
    __tablename__ = "test_comment"

    id: Mapped[Id]
    note_id: Mapped[UUID] = mapped_column(ForeignKey("test_note.id", ondelete="CASCADE"))
