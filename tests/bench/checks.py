"""One explained check, against Cedar and Casbin on the same table, members and data marts."""

from __future__ import annotations

import random
from collections.abc import Iterator
from importlib.metadata import version

from bailiwick.access.tables.ownership.data_mart import ACTIONS
from bailiwick.access.world.placing import place
from tests.bench.company import make_company
from tests.bench.measure import Result, Say, in_turn
from tests.bench.peers import Casbin, Cedar, Subject

QUESTIONS, REPEATED, SLOW_QUESTIONS = 10_000, 10, 100


def run(say: Say, quick: bool) -> Iterator[Result]:
    say("making 1,000 members and 10,000 data marts")
    company = make_company()
    chance = random.Random(11)
    marts, members = company.data_marts, list(company.world.members)
    asked = [(chance.choice(members), chance.choice(marts), chance.choice(ACTIONS)) for _ in range(QUESTIONS)]
    placed = {mart.id: place(company.world, mart) for mart in marts}
    cedar, casbin = Cedar(company.role, marts), Casbin()
    for_us = [(placed[mart.id], member, action) for member, mart, action in asked]
    for_cedar = [cedar.request(member, mart.id, action) for member, mart, action in asked]
    for_casbin = [(Subject(member, company.role[member]), mart, action) for member, mart, action in asked]
    del for_casbin[SLOW_QUESTIONS:]

    say("comparing the answers")
    ours = [on.check(member, action) for on, member, action in for_us]
    assert [decision.allowed for decision in ours] == [cedar.check(request).allowed for request in for_cedar]
    assert [decision.allowed for decision in ours[:SLOW_QUESTIONS]] == [casbin.check(*asked) for asked in for_casbin]
    for decision in ours:
        assert all((decision.document, decision.table, decision.row, decision.column, decision.facts))
        assert decision.allowed or decision.missing

    def ask_us() -> None:
        for on, member, action in for_us * REPEATED:  # once through is too short to time
            on.check(member, action)

    def ask_cedar() -> None:
        for request in for_cedar:
            cedar.check(request)

    def ask_casbin() -> None:
        for question in for_casbin:
            casbin.check(*question)

    say("asking in turn")
    spent = in_turn(3 if quick else 9, {"ours": ask_us, "cedarpy": ask_cedar, "casbin": ask_casbin})
    one = spent["ours"] / QUESTIONS / REPEATED
    for package, count, at_least in (("cedarpy", QUESTIONS, 50), ("casbin", SLOW_QUESTIONS, None)):
        theirs = spent[package] / count
        against = f"{package} {version(package)}"
        yield Result("an explained check", one, against, theirs, theirs / one, at_least=at_least)
