"""The pages in docs/access hold the same tables as the literals: every row, column and cell, in the same order."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

import bailiwick.access.tables
from bailiwick.access.compiled import condition_in_words
from bailiwick.access.facts import Condition
from bailiwick.access.resource_types import RESOURCE_TYPES
from bailiwick.access.shapes import AccessTable, Ladder, RoleMatrix, Table

FOLDER = Path(__file__).parents[2] / "docs" / "access"
PAGES = {path.stem: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.md"))}

# Tables that explain and decide nothing. Any other table on a page must be a literal's.
EXPLANATIONS = {
    *("README#who-may-do-what", "README#what-a-decision-says"),
    *("ownership-and-availability#owner-types", "ownership-and-availability#full-control"),
    *("ownership-and-availability#availability", "ownership-and-availability#who-configures-availability"),
    *("ownership-and-availability#actions", "ownership-and-availability#who-manages-owners"),
    "roles#the-three-roles",
    *("lakehouse#levels", "lakehouse#examples"),
    "projects#projects",
    "spaces#space-roles",
    "tenant#what-each-document-calls-them",
}

Rows = list[tuple[str, tuple[tuple[str, ...], ...]]]  # a label, and for each column what the cell allows


@dataclass(frozen=True)
class PageTable:
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def github_slug(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def headings(text: str) -> list[str]:
    return [github_slug(heading) for heading in re.findall(r"^#+ (.+)$", without_code(text), re.MULTILINE)]


def without_code(text: str) -> str:
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def tables_by_heading(text: str) -> Iterator[tuple[str, PageTable]]:
    """Each markdown table with the heading it stands under."""
    heading, lines = "", list[str]()
    for line in [*without_code(text).splitlines(), ""]:
        if line.startswith("|"):
            lines.append(line)
        elif lines:
            header, dashes, *rows = (tuple(cell.strip() for cell in one.strip("|").split("|")) for one in lines)
            assert all(re.fullmatch(r":?-+:?", cell) for cell in dashes), f"under {heading}: {dashes}"
            assert all(len(row) == len(header) for row in (dashes, *rows)), f"under {heading}: a ragged table"
            yield heading, PageTable(header, tuple(rows))
            lines = []
        if line.startswith("#"):
            heading = github_slug(line.lstrip("# "))


def shown() -> dict[str, list[PageTable]]:
    """The tables of all pages, by page and heading, as literals name them."""
    found: dict[str, list[PageTable]] = {}
    for page, text in PAGES.items():
        for heading, table in tables_by_heading(text):
            found.setdefault(f"{page}#{heading}", []).append(table)
    return found


def governing() -> list[Table]:
    """Every table a resource type is decided by, once, in the order of the resource types."""
    return list({id(table): table for rt in RESOURCE_TYPES.values() for table in rt.tables}.values())


def literals() -> dict[str, Table]:
    """Every table any module of the tables package holds, by where it is."""
    package = bailiwick.access.tables
    modules = [import_module(module.name) for module in walk_packages(package.__path__, f"{package.__name__}.")]
    return {
        f"{module.__name__}.{name}": value
        for module in modules
        for name, value in vars(module).items()
        if isinstance(value, Table)
    }


def beside_its_page() -> Iterator[tuple[Table, int]]:
    """Each table with its number among those that share its heading."""
    seen: dict[str, int] = {}
    for table in governing():
        yield table, seen.setdefault(table.page, 0)
        seen[table.page] += 1


def rows_of_literal(table: Table) -> Rows:
    match table:
        case AccessTable():
            return [(r.who, tuple(tuple(a for a in table.actions if a in c) for c in r.cells)) for r in table.rows]
        case RoleMatrix():
            return [(action, tuple((tick(cell),) for cell in cells)) for action, cells in table.rows.items()]
        case Ladder():
            names = [column.name for column in table.columns]
            return [
                (action, tuple((tick(position >= names.index(lowest)),) for position in range(len(names))))
                for action, lowest in table.rows.items()
            ]
    raise AssertionError(f"{table.name} has a shape this test does not know")


def tick(cell: bool | Condition) -> str:
    if isinstance(cell, Condition):
        assert condition_in_words(cell) == {"owner of the connection": ("yes",)}, "say it in words here and on the page"
        return "if own"
    return "✓" if cell else "–"


def rows_of_page(shown_table: PageTable, table: Table) -> Rows:
    if isinstance(table, AccessTable):
        return [
            (label, tuple(actions_in(cell, table, position) for position, cell in enumerate(cells)))
            for label, *cells in shown_table.rows
        ]
    return [(label, tuple((cell,) for cell in cells)) for label, *cells in shown_table.rows]


def actions_in(cell: str, table: AccessTable, column: int) -> tuple[str, ...]:
    if cell == "–":
        return ()
    if cell == "All actions":
        return table.actions
    if cell == "✓":  # where a column is about one action, a tick says enough
        only = {row.cells[column] for row in (*table.unlisted, *table.rows)} - {frozenset()}
        assert len(only) == 1, f"{table.name}: a tick in “{table.columns[column].name}” does not say which action"
        (granted,) = only
        assert len(granted) == 1, f"{table.name}: a tick in “{table.columns[column].name}” stands for several actions"
        return tuple(granted)
    return tuple(cell.split(", "))


@pytest.mark.parametrize(
    ("table", "number"),
    [pytest.param(table, number, id=f"{table.page}-{number}") for table, number in beside_its_page()],
)
def test_the_page_shows_the_literal_cell_by_cell(table: Table, number: int) -> None:
    tables = shown().get(table.page, [])
    assert number < len(tables), f"docs/access has no table under {table.page}"
    assert isinstance(table, AccessTable | RoleMatrix | Ladder)
    assert list(tables[number].header[1:]) == [column.name for column in table.columns]
    on_page, in_code = rows_of_page(tables[number], table), rows_of_literal(table)
    assert [label for label, _ in on_page] == [label for label, _ in in_code]
    assert on_page == in_code


def test_every_table_on_a_page_is_a_literal_or_a_named_explanation() -> None:
    in_code: dict[str, int] = {}
    for table in governing():
        in_code[table.page] = in_code.get(table.page, 0) + 1
    on_pages = {anchor: len(tables) for anchor, tables in shown().items()}
    assert on_pages == in_code | dict.fromkeys(EXPLANATIONS, 1)


def test_every_literal_governs_a_resource_type() -> None:
    used = {id(table) for table in governing()}
    assert [name for name, table in literals().items() if id(table) not in used] == []


def test_every_governing_table_is_found_in_the_tables_package() -> None:
    assert {id(table) for table in governing()} == {id(table) for table in literals().values()}


def test_a_row_the_page_leaves_out_has_every_action_in_its_columns() -> None:
    for table in governing():
        if isinstance(table, AccessTable):
            for position in range(len(table.columns)):
                of_others = frozenset().union(*(row.cells[position] for row in table.rows))
                assert all(row.cells[position] >= of_others for row in table.unlisted), table.name
            if table.unlisted:
                assert [row.who for row in table.unlisted] == ["Project Admin"]
                assert all(frozenset().union(*row.cells) == set(table.actions) for row in table.unlisted), table.name


def test_the_overview_names_every_resource_type_under_its_document() -> None:
    (overview,) = shown()["README#who-may-do-what"]
    listed = [
        (document, page, re.findall(r"`(\w+)`", types))
        for document, link, types in overview.rows
        for page in re.findall(r"\((.+)\.md\)", link)
    ]
    expected: dict[tuple[str, str], list[str]] = {}
    for rt in RESOURCE_TYPES.values():
        (page,) = {table.page.split("#")[0] for table in rt.tables}
        expected.setdefault((rt.document, page), []).append(rt.name)
    assert sorted(listed) == sorted((document, page, names) for (document, page), names in expected.items())


def test_the_decision_in_the_overview_is_the_one_given() -> None:
    (block,) = re.findall(r"^```json\n(.*?)^```$", PAGES["README"], re.MULTILINE | re.DOTALL)
    storage = RESOURCE_TYPES["storage"]
    facts = storage.pack({"project role": "Technical User", "available for use": "yes"})
    assert json.loads(block) == storage.check(facts, "Edit").to_dict()


def test_no_page_has_two_headings_with_the_same_anchor() -> None:
    for page, text in PAGES.items():
        assert len(headings(text)) == len(set(headings(text))), page


def test_every_link_of_a_page_leads_somewhere() -> None:
    for page, text in PAGES.items():
        for target in re.findall(r"\]\(([^)]+)\)", without_code(text).replace("\n", " ")):
            path, _, anchor = target.partition("#")
            name = path.removesuffix(".md") or page
            assert name in PAGES, f"{page}: {target}"
            assert not anchor or anchor in headings(PAGES[name]), f"{page}: {target}"
