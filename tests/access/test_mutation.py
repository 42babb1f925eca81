"""Every change of a literal that changes a decision is noticed; every other is equivalent for a stated reason."""

from __future__ import annotations

import pytest

from tests.access.mutation import Covered, Family, explanation, judges, report, scores, tables

pytestmark = pytest.mark.xdist_group(name="second reading")  # what it says of every cell is worked out once

# Equivalent mutants, in families: “table | change”, and why it changes nothing. The heading is worked out for each
# mutant, not believed.

ALREADY_GIVEN_BY_THE_SAME_TABLE = {
    "* | * × *: with *": "The table's columns ask nothing; the action stands in the row's other column.",
    # Tenant
    "tenant / * | column admin: also with tenant role owner": "An owner has every tick of an admin.",
    "tenant / * | column*": "Below admins the only tick is See groups, which every column has.",
    "member / * | * × Oneself: without *": "Everybody stands on the last row, which says what is for oneself.",
    "member / * | Tenant *: also with *": "Owners and admins have the same cells.",
    "member / * | Anybody else: whatever the oneself": "It takes any value already: the row is for anybody.",
    "member / * | column Somebody with a higher role: *": "Every row gives as much of oneself and of lower roles.",
    "group / * | *: * tenant role*": "Owners and admins stand on the first row, which gives at least as much.",
    "group / * | Anybody else: whatever the in the group": "Who is in the group sees its name as well.",
    "group / * | column The group All: *": "Each row gives of All a part of what it gives of other groups.",
    "api_token / * | *: whatever the token *": "A narrowed token can do a part of what any other can.",
    # Projects and roles
    "project / Seeing* | column*": "The three roles have the same ticks.",
    "project / Project* | column Technical User: also with project role Admin": "Admins have those ticks too.",
    "project / Project* | column Business User: *": "There is no tick in this column.",
    "notification_rule / * | column*": "Admins and Technical Users have the same ticks.",
    "project_membership / * | *: also with project role *": "Each role can do all that those below it can.",
    "inherited_* | no*: *": "The row grants nothing; it is written because the document lists it.",
    "inherited_* | *: also with *": "Each role inherits all that those below it inherit.",
    # Access rights: rows
    "* | *: also with project role Admin": "Project Admins have everything by their own row.",
    "* | *: not with project role Admin": "Project Admins have everything by their own row.",
    "storage / * | Any Business User: *": "The row grants nothing; it is written because the document lists it.",
    "deleted_destination / * | Non-owner Business User: *": "The row grants nothing; it completes the table.",
    "* | Non-owner *: whatever the *wner": "Owners of that kind have at least as much by their own row.",
    "data_mart* | Technical Owner (Business User): also *": "A Technical User has everything by the row above.",
    "data_mart* | Non-owner Business User*: also *": "A Technical User's own row gives at least as much.",
    "data_mart_trigger / * | *reporting only*: *": "The rows for maintenance and for Business Users show as much.",
    "destination / * | Non-owner *: also *": "Technical Users and Business Users have the same cells.",
    "report* | Report Owner (Destination deleted): whatever *": "While it exists, the owner's other row gives more.",
    # Access rights: columns
    "* | column Not available: *": "What is given then is given whatever the availability.",
    "* | column Available for *: whatever *": "Each row gives as much when the other toggle is on.",
    "* | columns Available for maintenance and Available for both: swapped": "No row tells the two apart.",
    "deleted_destination / * | columns Not available and Available for use: *": "No row tells the two apart.",
    # Lakehouse
    "layer / * | column *: also with *": "It is a ladder: the next column has all that this one has.",
    "saved_query / * | Others, *: whatever the its author": "The author has at least as much by the first row.",
    "saved_query / * | Others, when not shared: whatever *": "Of shared queries others have at least as much.",
    "saved_query / * | column none: *": "There is nothing in this column.",
    "saved_query / * | column *: * standing*": "Admins and Owners have at least as much, whatever their level.",
    "saved_query / * | column *: also with level *": "A Manager has as much as an Editor, and more than a Viewer.",
    "saved_query / * | columns Editor and Manager: swapped": "The two columns have the same cells.",
    "saved_query / * | columns Admin and Owner: swapped": "The two columns have the same cells.",
    # Spaces
    "data_* | columns * and *: swapped": "The two columns have the same ticks in this table.",
    "data_space / Prerequisites | column Can *: whatever *": "There is no tick in this column.",
}

ALREADY_GIVEN_BY_ANOTHER_TABLE = {
    "data_mart* / Own* | * See": "A Business Owner sees and uses it by the table's own rows.",
    "data_mart* / Own* | * Use": "A Business Owner sees and uses it by the table's own rows.",
    "data_mart* / Own* | column*": "A Business Owner sees and uses it by the table's own rows.",
    "data_mart* / Own* | *: whatever the Business Owner": "Other Technical Users have it by the table's own rows.",
    "* | *: also with project role Admin": "Project Admins have everything by their own row.",
    "report* / Technical* | *: without See": "They see the report by the table's own rows.",
    "report* / Technical* | *: not with * maintains it": "Who maintains the data mart has a row of their own.",
    "data_* | * × Is owner: *": "The document's table and the one of Can view data both have the owner's column.",
}

CANNOT_OCCUR = {
    "member / * | Tenant owner × Somebody with a higher role: *": "Nobody has a higher role than an owner.",
    "member / * | Admin of a project* × *: without See": "Who administers a project they are in shares it.",
    "group / * | Anybody else × The group All: *": "Everybody is in All.",
    "report* | Has Data Mart maintenance access: *": "Only Technical Users and Admins maintain a data mart.",
    "report* | Non-owner *: also with * maintains it": "Whoever maintains it stands on the row above, or is an Admin.",
    "report* | *: * project role*": "Without a role in the project nobody sees its data marts.",
}

FAMILIES: tuple[Family, ...] = tuple(
    Family(covered, mutants, reason)
    for covered, families in (
        (Covered.SAME_TABLE, ALREADY_GIVEN_BY_THE_SAME_TABLE),
        (Covered.OTHER_TABLE, ALREADY_GIVEN_BY_ANOTHER_TABLE),
        (Covered.UNREACHABLE, CANNOT_OCCUR),
    )
    for mutants, reason in families.items()
)


def test_the_tables_are_judged_as_they_are_compiled() -> None:
    assert all(judge.reads_the_tables_as_compiled() for judge in judges())


def test_the_second_reading_finds_nothing_in_the_tables_as_they_are() -> None:
    assert not any(judge.finds() for judge in judges())


def test_every_table_has_mutants() -> None:
    assert all(score.total for score in scores())
    assert len(scores()) == len(tables())


def test_every_mutant_that_changes_a_decision_is_killed() -> None:
    print(f"\n{report(FAMILIES)}")
    assert [mutant.name for score in scores() for mutant in score.survived] == []


def test_every_equivalent_mutant_is_explained() -> None:
    equivalent = [(mutant, by) for score in scores() for mutant, by in score.equivalent.items()]
    unexplained = [(mutant.name, by.value) for mutant, by in equivalent if not explanation(mutant, by, FAMILIES)]
    assert unexplained == []


def test_every_explanation_is_needed() -> None:
    equivalent = [(mutant, by) for score in scores() for mutant, by in score.equivalent.items()]
    used = {explanation(mutant, by, FAMILIES) for mutant, by in equivalent}
    assert [family for family in FAMILIES if family not in used] == []
