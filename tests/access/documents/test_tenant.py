"""What was settled about the tenant: its roles, members, groups and tokens."""

from collections.abc import Mapping

import pytest

from bailiwick.access.resource_types import RESOURCE_TYPES
from bailiwick.access.world.people import World
from bailiwick.access.world.records import DataMart, Destination, Group, Member, Project, Report, Space, Storage
from tests.access.documents.people import NOTHING, SEE, SHOP, TESS, can, ticked, words

TENANT_ROLES = ("owner", "admin", "editor", "viewer", "none")
TENANT = {
    "See members": "YY---",
    "See settings": "YY---",
    "Change settings": "YY---",
    "Add members": "YY---",
    "Confirm newcomers": "YY---",
    "Grant tenant roles": "YY---",
    "Make and unmake owners": "Y----",
    "Grant security roles": "YY---",
    "See groups": "YYYYY",
    "Create groups": "YY---",
    "Create projects": "YY---",
    "Grant and remove project roles": "YY---",
    "Ask about anybody's access": "YY---",
    "View as another member": "YY---",
    "See every audit entry": "YY---",
    "Delete runs": "YY---",
    "Manage billing": "Y----",
}
OF_OTHERS = words(
    "See, Change tenant role, Grant security roles, Confirm, Suspend, Remove, Reset password, Make a magic link, "
    "See the link, Ask about their access, View as"
)
OF_MYSELF = words("See, Edit profile, Ask about their access")
LINKS = words("See, Reset password, Make a magic link")
LOOK = words("See, Ask about their access")
GRANT = words("Grant security roles")


@pytest.mark.parametrize(("position", "role"), list(enumerate(TENANT_ROLES)))
def test_a_tenant_role_can_do_what_the_table_says(position: int, role: str) -> None:
    world = World([Member("kim", role)])
    assert can(world.tenant, "kim", world) == ticked(TENANT, [position])


def test_the_tenant_and_the_lakehouse_agree_on_what_both_name() -> None:
    tenant, lakehouse = RESOURCE_TYPES["tenant"], RESOURCE_TYPES["lakehouse"]
    calls_it = {"owner": "Owner", "admin": "Admin", "editor": "Member", "viewer": "Member", "none": "Member"}
    for role, standing in calls_it.items():
        mine, theirs = tenant.pack({"tenant role": role}), lakehouse.pack({"standing": standing, "level": "Manager"})
        for action in set(tenant.actions) & set(lakehouse.actions):
            assert tenant.allows(mine, action) == lakehouse.allows(theirs, action), action


def company() -> World:
    shop = Project("shop", {"pam": "Admin", "pat": "Admin", "tia": "Technical User", "ben": "Business User"})
    lab = Project("lab", {"pat": "Business User", "tia": "Admin"})
    return World(
        [
            Member("olga", "owner"),
            Member("otto", "owner"),
            Member("ann", "admin"),
            Member("abe", "admin"),
            *(Member(name) for name in ("pam", "pat", "tia", "ben", "loner")),
            Member("vic", "viewer"),
            Member("dan", security_roles=frozenset({"data admin"})),
        ],
        projects=[shop, lab],
    )


# (who, on whom) → what they may do
MEMBERS: Mapping[tuple[str, str], frozenset[str]] = {
    ("olga", "olga"): OF_MYSELF | GRANT,
    ("olga", "otto"): OF_OTHERS,  # owners unmake owners
    ("olga", "ann"): OF_OTHERS,
    ("olga", "dan"): OF_OTHERS,  # tenant owners and admins cover every security role
    ("ann", "ann"): OF_MYSELF | GRANT,  # nobody changes their own tenant role
    ("ann", "olga"): LOOK | GRANT,  # owners and admins grant the security roles
    ("ann", "abe"): OF_OTHERS,
    ("ann", "pam"): OF_OTHERS,
    ("ann", "dan"): OF_OTHERS,
    ("pam", "pam"): OF_MYSELF,
    ("pam", "ben"): LINKS,
    ("pam", "tia"): SEE,  # Admin of the lab, where pam is nothing
    ("pam", "pat"): SEE,  # as high in the shop, and Business User of the lab besides
    ("pat", "pam"): LINKS,
    ("pat", "tia"): SEE,
    ("pam", "vic"): SEE,  # a viewer of the tenant, which pam is not
    ("pam", "olga"): SEE,  # tenant owners inherit a role in every project
    ("pam", "loner"): NOTHING,
    ("ben", "pam"): SEE,
    ("ben", "loner"): NOTHING,
    ("loner", "loner"): OF_MYSELF,
    ("loner", "ben"): NOTHING,
    ("dan", "ben"): NOTHING,
}


@pytest.mark.parametrize(("pair", "expected"), MEMBERS.items())
def test_a_member_may_do_with_another_what_their_roles_say(pair: tuple[str, str], expected: frozenset[str]) -> None:
    world = company()
    who, whom = pair
    assert can(world.members[whom], who, world) == expected


# Whether the second's roles lie within the first's, so that entering as them gives nothing new
@pytest.mark.parametrize(
    ("maker", "target", "within"),
    [
        (Member("a", "admin"), Member("b", "owner"), False),
        (Member("a", "owner"), Member("b", "owner"), True),
        (Member("a", "admin"), Member("b", security_roles=frozenset({"data admin", "data space creator"})), True),
        (Member("a", "editor"), Member("b", security_roles=frozenset({"data space creator"})), False),
        (
            Member("a", security_roles=frozenset({"data admin"})),
            Member("b", security_roles=frozenset({"data admin"})),
            True,
        ),
        (Member("a", "viewer"), Member("b", "editor"), False),
        (Member("a", "editor"), Member("b", "viewer"), True),
        (Member("a"), Member("b", groups=frozenset({"leads"})), False),
        (Member("a", groups=frozenset({"leads"})), Member("b"), True),
        (Member("a", groups=frozenset({"leads"})), Member("b", groups=frozenset({"builders"})), True),
        (Member("a", groups=frozenset({"builders"})), Member("b", groups=frozenset({"leads"})), False),
    ],
)
def test_links_are_made_for_members_whose_roles_lie_within_the_makers(
    maker: Member, target: Member, within: bool
) -> None:
    projects = [Project("p", {"leads": "Admin", "builders": "Technical User"}), Project("q", {"All": "Business User"})]
    assert World([maker, target], projects=projects).roles_lie_within(target, maker) is within


# Tenant role, in the group? → on the group All, on any other
GROUPS = {
    ("owner", False): ("See, See who is in it", "See, See who is in it, Edit, Delete"),
    ("admin", True): ("See, See who is in it", "See, See who is in it, Edit, Delete"),
    ("editor", True): ("See", "See, See who is in it"),
    ("none", True): ("See", "See, See who is in it"),
    ("viewer", False): ("See", "See"),
    ("none", False): ("See", "See"),
}


@pytest.mark.parametrize(("who", "expected"), GROUPS.items())
def test_groups_are_edited_by_owners_and_admins_and_the_group_all_by_nobody(
    who: tuple[str, bool], expected: tuple[str, str]
) -> None:
    role, inside_it = who
    world = World([Member("kim", role, groups=frozenset({"team"} if inside_it else ()))])
    assert can(Group("All", is_all=True), "kim", world) == words(expected[0])
    assert can(Group("team"), "kim", world) == words(expected[1])


def test_ownership_and_security_roles_are_never_held_through_a_group() -> None:
    world = World([Member(TESS, groups=frozenset({"team"}))])
    team = frozenset({"team"})
    assert can(Storage("s", SHOP, team), TESS, world) == NOTHING
    assert can(Destination("d", SHOP, team), TESS, world) == NOTHING
    assert can(DataMart("m", SHOP, team, team), TESS, world) == NOTHING
    assert can(Report("r", DataMart("m", SHOP), team), TESS, world) == NOTHING
    assert can(Space("s", owner="team"), TESS, world) == set()


def test_a_suspended_or_removed_member_is_in_no_world() -> None:
    world = World([Member("kim", active=False)])
    assert "kim" not in world.members


# Narrowed to reading?, to chosen tables? → what of its maker's rights is left
TOKENS = {
    ("yes", "yes"): "Read, Change, Read its tables, Change its tables",
    ("no", "yes"): "Read, Read its tables",
    ("yes", "no"): "Read its tables, Change its tables",
    ("no", "no"): "Read its tables",
}


@pytest.mark.parametrize(("narrowed", "expected"), TOKENS.items())
def test_a_token_is_narrowed_to_reading_and_to_chosen_tables(narrowed: tuple[str, str], expected: str) -> None:
    token = RESOURCE_TYPES["api_token"]
    may_change, reaches_all = narrowed
    facts = {"token may change things": may_change, "token reaches beyond chosen tables": reaches_all}
    assert set(token.allowed_actions(token.pack(facts))) == words(expected)
