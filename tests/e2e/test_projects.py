"""Projects: made, lived in by people with roles from several places, and deleted by name."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from playwright.sync_api import expect
from sqlalchemy import select

from bailiwick.demo import people as p
from bailiwick.demo.story import member_of
from bailiwick.projects.models import Project, ProjectGrant
from bailiwick.tenancy.models import Member
from tests.e2e.conftest import House, Window
from tests.e2e.journeys import choose, go_to


@dataclass(frozen=True)
class Team:
    olivia: Member  # an owner
    tessa: Member  # Admin of the project, without a tenant role
    theo: Member  # Technical User in it, through his group
    ben: Member  # Business User in it
    vera: Member  # viewer of the tenant, and so Business User in it; Technical User by a grant
    project: Project


@pytest.fixture
def team(house: House) -> Team:
    with house.database.session() as session:
        olivia, tessa, theo, ben, vera = (
            member_of(session, person) for person in (p.OLIVIA, p.TESSA, p.THEO, p.BEN, p.VERA)
        )
        project = session.scalars(select(Project).where(Project.name == p.SUPPLY)).one()
        for member, role in ((ben, "Business User"), (vera, "Technical User")):
            session.add(ProjectGrant(project_id=project.id, member_id=member.id, role=role, granted_by_id=tessa.id))
        return Team(olivia, tessa, theo, ben, vera, project)


def test_a_project_is_made_somebody_comes_in_for_a_time_and_it_is_deleted(
    window: Window, another: Window, house: House, team: Team
) -> None:
    name, page, nina = "Shops", window.page, house.member(p.NINA.name)
    window.sign_in(team.olivia)
    go_to(page, "Projects")
    page.get_by_role("button", name="New project").click()
    page.get_by_role("textbox", name="Name").fill(name)
    page.get_by_role("button", name="Make it").click()
    expect(page.get_by_role("heading", name=name)).to_be_visible()
    page.get_by_role("button", name="Edit", exact=True).click()
    page.get_by_label("What it is for").fill("Everything about the shops.")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Everything about the shops.")).to_be_visible()
    page.get_by_role("button", name="Invite somebody").click()
    page.get_by_role("combobox", name="E-mail address").fill(nina.email)
    expect(page.get_by_text(f"{nina.name} is here already")).to_be_visible()
    page.get_by_role("option", name=nina.name).click()
    choose(page, "For how long", "for 30 days")
    expect(page.get_by_role("region", name="Who gains and loses what")).to_contain_text("gains")
    window.look()
    page.get_by_role("button", name="Invite", exact=True).click()
    page.get_by_label("Find somebody").fill(nina.email)
    expect(page.get_by_role("row", name=nina.name)).to_contain_text("granted directly")
    expect(page.get_by_role("row", name=nina.name)).to_contain_text("ends")
    window.look()

    another.sign_in(nina)
    another.go("/projects")
    another.page.get_by_role("link", name=name).click()
    expect(another.page.get_by_role("tab", name="Settings")).to_have_count(0)
    expect(another.page.get_by_role("button", name="Delete")).to_have_count(0)
    another.page.get_by_role("tab", name="Notifications").click()
    expect(another.page.get_by_role("switch", name="I receive it").first).not_to_be_checked()
    another.look()

    page.get_by_role("button", name="Delete").click()
    page.get_by_label(f"To be sure, type {name}").fill(name)
    page.get_by_role("button", name=f"Delete {name}").click()
    expect(page.get_by_role("heading", name="Projects")).to_be_visible()
    another.expected = ["404"]
    another.page.reload()
    expect(another.page.get_by_role("alert")).to_be_visible()


def test_an_admin_changes_roles_and_sees_where_each_comes_from(window: Window, another: Window, team: Team) -> None:
    page = window.page
    window.sign_in(team.tessa)
    go_to(page, "Projects")
    page.get_by_role("link", name=team.project.name).click()
    expect(page.get_by_role("row", name=team.vera.name)).to_contain_text("inherited from the tenant role")
    expect(page.get_by_role("row", name=team.vera.name)).to_contain_text("granted directly")
    window.look()
    page.get_by_role("button", name=f"Change the role of {team.ben.name}").click()
    choose(page, "Role granted here", "Technical User")
    foreseen = page.get_by_role("region", name="Who gains and loses what")
    expect(foreseen).to_contain_text(team.ben.name)
    expect(foreseen).to_contain_text("gains")
    window.look()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("row", name=team.ben.name)).to_contain_text("Technical User")

    another.sign_in(team.ben)
    another.go(f"/projects/{team.project.id}?part=settings")
    expect(another.page.get_by_role("button", name="Delete")).to_be_disabled()
    expect(another.page.get_by_role("switch").first).to_be_disabled()
    another.page.get_by_role("tabpanel").get_by_role("button", name="Why?").first.click()
    expect(another.page.get_by_text("“Set project switches” is not for you here")).to_be_visible()
    another.look()

    page.get_by_role("button", name=f"Remove {team.vera.name}").click()
    expect(page.get_by_role("dialog")).to_contain_text("They keep:")
    expect(page.get_by_role("dialog")).to_contain_text("inherited from the tenant role")
    window.look()
    page.get_by_role("button", name=f"Remove {team.vera.name}").last.click()
    expect(page.get_by_text(f"{team.vera.name} stays Business User, through the tenant role viewer.")).to_be_visible()
    expect(page.get_by_role("row", name=team.vera.name)).to_contain_text("Business User")
    page.get_by_role("alert").filter(has_text="stays Business User").get_by_role("button", name="Undo").click()
    expect(page.get_by_role("row", name=team.vera.name)).to_contain_text("granted directly")


def test_switches_and_news_of_a_project(window: Window, another: Window, team: Team) -> None:
    page = window.page
    window.sign_in(team.tessa)
    window.go(f"/projects/{team.project.id}?part=settings")
    turned = page.get_by_role("switch", name="Technical Users control every report they see")
    turned.check()
    expect(page.get_by_role("region", name="Who gains and loses what")).to_be_visible()
    window.look()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("The switches are set.")).to_be_visible()
    page.reload()
    expect(turned).to_be_checked()

    page.get_by_role("tab", name="Notifications").click()
    failed = page.get_by_role("region", name="Receivers: A run failed")
    expect(failed.get_by_role("row", name=team.theo.name)).to_contain_text("is Technical User")
    failed.get_by_role("combobox", name="Add a Business User").fill(team.ben.name)
    expect(page.get_by_role("option")).to_have_count(1)
    page.get_by_role("option", name=team.ben.name).click()
    failed.get_by_role("button", name="Add", exact=True).click()
    expect(failed.get_by_role("row", name=team.ben.name)).to_contain_text("was added")
    form = page.get_by_role("form", name="Set up: A run failed")
    form.get_by_label("Minutes to wait").fill("20")
    form.get_by_label("Web address to tell as well").fill("https://example.com/hook")
    form.get_by_role("button", name="Save").click()
    expect(page.get_by_text("The channel is saved.")).to_be_visible()
    window.look()

    another.sign_in(team.theo)
    another.go(f"/projects/{team.project.id}?part=notifications")
    expect(another.page.get_by_text("20 minutes after the run ended.")).to_be_visible()
    expect(another.page.get_by_text("example.com/hook")).to_have_count(0)  # it may hold a secret
    channel = another.page.get_by_role("region", name="A run failed", exact=True)
    mine = channel.get_by_role("switch", name="I receive it", exact=True)
    mine.click()
    expect(mine).not_to_be_checked()
    expect(another.page.get_by_role("row", name=team.theo.name)).to_have_count(1)  # of the other channel
    another.look()
