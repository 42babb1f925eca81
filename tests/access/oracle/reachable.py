"""Which combinations of facts can occur at all: some facts follow from others, whatever the tables say."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bailiwick.access.compiled import ResourceType

Words = Mapping[str, str]


def reachable(resource_type: ResourceType) -> tuple[int, ...]:
    """The combinations that some member and some resource can have."""
    can_occur = WHAT_FOLLOWS.get(resource_type.name, _anything)
    return tuple(index for index in range(resource_type.size) if can_occur(resource_type.in_words(index)))


def _anything(facts: Words) -> bool:
    return True


def _of_a_member(facts: Words) -> bool:
    role = facts["tenant role"]
    is_me, within = facts["oneself"] == "yes", facts["their roles lie within mine"] == "yes"
    shares = facts["shares a project with me"] == "yes"
    administers = facts["member of a project I am Admin of"] == "yes"
    if (is_me or role == "owner") and not within:
        return False  # nobody is above themselves, and nobody is above an owner
    if role in ("admin", "owner"):
        return shares == administers  # they are Admin of every project
    return shares or not administers


def _of_a_group(facts: Words) -> bool:
    return facts["in the group"] == "yes" or facts["the group All"] == "no"  # All holds everyone


def _of_a_report(facts: Words) -> bool:
    role, access = facts["project role"], facts["access to the data mart"]
    if role == "none":
        return access == "none"
    if role == "Admin":
        return access == "maintains it"
    if role == "Business User" and access == "maintains it":
        return False  # maintenance is reserved for Technical Users
    return facts.get("Business Owner", "no") == "no" or access != "none"  # a Business Owner sees the data mart


WHAT_FOLLOWS: Mapping[str, Callable[[Words], bool]] = {
    "member": _of_a_member,
    "group": _of_a_group,
    "report": _of_a_report,
    "report_trigger": _of_a_report,
}
