"""Whether the audit is whole, told at once: of each chain the first entry and the latest ones are checked."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import text

from bailiwick.audit import routes, verify
from bailiwick.audit.verify import look_at_chains
from bailiwick.database.engine import Database
from tests.audit.test_chain import tamper, write
from tests.people import SignInAs, make_member

CHAIN = "/api/v1/audit/chain"


def problems(database: Database, latest: int = 100) -> list[str]:
    with database.read() as session:
        state = look_at_chains(session, latest)
    return [*state.problems, *(problem for chain in state.chains for problem in chain.problems)]


def asked(database: Database, sign_in_as: SignInAs, role: str = "admin") -> Any:
    with database.session() as session:
        member = make_member(session, role=role)
    return sign_in_as(member).get(CHAIN)


def test_an_audit_with_nothing_in_it_is_whole(app: FastAPI, database: Database, sign_in_as: SignInAs) -> None:
    told = asked(database, sign_in_as).json()
    assert (told["whole"], told["entries"], told["checked"], told["since"]) == (True, 0, 0, None)
    assert told["chains"] == []


def test_it_tells_how_many_since_when_and_how_many_were_checked(
    app: FastAPI, database: Database, sign_in_as: SignInAs
) -> None:
    write(database, "a", "b", "c")
    told = asked(database, sign_in_as, "owner").json()
    assert (told["whole"], told["entries"], told["checked"], told["problems"]) == (True, 3, 3, [])
    (chain,) = told["chains"]
    assert (chain["whole"], chain["entries"], chain["checked"]) == (True, 3, 3)
    assert told["since"] == chain["since"] < chain["latest_at"] < told["checked_at"]


def test_of_a_long_chain_the_latest_are_checked_and_the_answer_says_so(database: Database) -> None:
    write(database, *map(str, range(10)))
    with database.read() as session:
        state = look_at_chains(session, 4)
    (chain,) = state.chains
    assert (state.latest, chain.entries, chain.checked, chain.problems) == (4, 10, 5, [])  # four, and the first


def test_chains_share_what_can_be_checked(database: Database) -> None:
    write(database, "a", "b", "c", "d")
    with database.session() as session:  # another chain begins, whose head says more than there is
        session.execute(text("UPDATE audit_lane SET number = 2 WHERE lane = 5"))
    with database.read() as session:
        state = look_at_chains(session, 4)
    assert state.latest == 2
    assert [(chain.chain, chain.checked) for chain in state.chains] == [(0, 3), (5, 0)]
    assert problems(database, 4) == ["Chain 5: ends at entry 0, its head says 2. The tail was cut off or rewritten."]


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ("UPDATE audit_entry SET resource_name = 'x' WHERE number = 9", "entry 9 "),
        ("UPDATE audit_entry SET resource_name = 'x' WHERE number = 1", "entry 1 "),
        ("DELETE FROM audit_entry WHERE number = 9", "entry 9 is missing"),
        ("DELETE FROM audit_entry WHERE number = 10", "ends at entry 9"),
        ("DELETE FROM audit_entry WHERE number = 1", "first entry is missing"),
        ("DELETE FROM audit_entry", "ends at entry"),
        ("UPDATE audit_entry SET number = 12 WHERE number = 10", "entries 10 to 11 are missing"),
        ("UPDATE audit_lane SET number = 9 WHERE number = 10", "its head says 9"),
        ("UPDATE audit_entry SET lane = 99 WHERE number = 10", "no head"),
        ("DELETE FROM audit_lane WHERE lane = 0", "no head"),
    ],
)
def test_what_was_tampered_with_among_those_checked_is_found(database: Database, change: str, found: str) -> None:
    write(database, *map(str, range(10)))
    assert problems(database, 4) == []
    tamper(database, change)
    assert any(found in problem for problem in problems(database, 4)), problems(database, 4)


def test_what_was_tampered_with_before_is_left_to_the_whole_look(database: Database) -> None:
    write(database, *map(str, range(10)))
    tamper(database, "UPDATE audit_entry SET resource_name = 'x' WHERE number = 3")
    assert problems(database, 4) == []
    with database.read() as session:
        assert not verify.verify(session).is_whole


def test_a_tampered_entry_is_told_over_the_api(
    app: FastAPI, database: Database, sign_in_as: SignInAs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(routes, "MOST_PROBLEMS", 2)
    write(database, "a", "b", "c", "d")
    tamper(database, "UPDATE audit_entry SET resource_name = 'x' WHERE number > 1")
    told = asked(database, sign_in_as).json()
    assert (told["whole"], told["chains"][0]["whole"]) == (False, False)
    assert len(told["problems"]) == 2
    assert "its content is not what was written" in told["problems"][0]


def test_it_is_for_those_who_read_all_of_the_audit(app: FastAPI, database: Database, sign_in_as: SignInAs) -> None:
    answer = asked(database, sign_in_as, "editor")
    assert answer.status_code == 403
    assert answer.json()["decision"]["action"] == "see_every_audit_entry"
