"""People come, are given roles and lose them, and everybody sees at once what that changes."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from playwright.sync_api import Route, expect

from bailiwick.demo import people as p
from bailiwick.demo.story import member_of
from bailiwick.tenancy.caller import ALL_GROUP_ID
from bailiwick.tenancy.models import Member
from tests.e2e.conftest import House, Window
from tests.e2e.journeys import choose, go_to, link_sent_to
from tests.people import make_group, make_token

PASSWORD = "correct horse battery"


@dataclass(frozen=True)
class Some:
    olivia: Member  # an owner
    nina: Member  # without any role

    project = p.SALES


@pytest.fixture
def some(house: House) -> Some:
    with house.database.read() as session:
        return Some(member_of(session, p.OLIVIA), member_of(session, p.NINA))


def join(window: Window, link: str, name: str) -> None:
    page = window.page
    window.go(link)
    expect(page.get_by_role("heading", name="Welcome")).to_be_visible()
    page.get_by_label("Your name").fill(name)
    page.get_by_label("Password").first.fill(PASSWORD)
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_role("button", name=f"{name}: account")).to_be_visible()


def find(window: Window, member: Member, *, after: Member) -> None:
    """In the directory, whose field says what it shows; then by the palette, which takes nothing found before."""
    page, found = window.page, "**/api/v1/search?*"
    go_to(page, "Members")
    field = page.get_by_role("searchbox", name="Find somebody")
    field.fill(f"not {member.email}")
    expect(page.get_by_text("Nothing fits “")).to_be_visible()
    go_to(page, "Members")
    expect(field).to_have_value("")
    page.go_back()
    expect(field).to_have_value(f"not {member.email}")

    page.keyboard.press("Control+k")
    palette = page.get_by_label("Go to", exact=True)
    palette.fill(after.email)
    expect(page.get_by_role("dialog").get_by_role("button", name=after.name)).to_be_enabled()
    window.look()
    asked: list[Route] = []
    page.route(found, lambda route: asked.append(route))
    with page.expect_request(found):
        palette.fill(member.email)
        palette.press("Enter")
    expect(page.get_by_role("dialog").get_by_role("button", name=after.name)).to_be_disabled()
    asked[0].continue_()
    page.unroute(found)
    expect(page.get_by_role("heading", name=member.name, exact=True)).to_be_visible()


def test_who_is_invited_gets_a_link_and_joins(window: Window, another: Window, house: House, some: Some) -> None:
    page, email = window.page, "ana@fernhill.example"
    window.expected = ["422"]
    window.sign_in(some.olivia)
    go_to(page, "Members")
    expect(page.get_by_role("link", name=some.nina.name)).to_be_visible()
    window.look()
    page.get_by_role("button", name="Invite somebody").click()
    page.get_by_label("E-mail address").fill("änne@exämple")  # no browser says what an address is
    page.get_by_label("Name", exact=False).last.fill("Ana Lima")
    page.get_by_role("button", name="Invite", exact=True).click()
    expect(page.get_by_label("E-mail address")).to_be_focused()
    expect(page.get_by_role("alert")).to_contain_text("This is not an e-mail address. Write it like")
    window.look()
    page.get_by_label("E-mail address").fill(email)
    choose(page, "Tenant role", "viewer")
    expect(page.get_by_text("Business User in every project.")).to_be_visible()
    window.look()
    expect(page.get_by_text("No mail server is set: you get the link")).to_be_visible()
    page.get_by_role("button", name="Invite", exact=True).click()
    handed = page.get_by_role("dialog", name="The link for Ana Lima")
    expect(handed).to_contain_text(f"nothing was sent to {email}")
    lost = handed.locator("code").inner_text()
    window.look()
    handed.get_by_role("button", name="Done").click()
    expect(page.get_by_role("heading", name="Ana Lima", exact=True)).to_be_visible()
    window.look()
    page.get_by_role("button", name="Make a new link").click()
    expect(handed).to_contain_text("The one made before works no longer.")
    link = handed.locator("code").inner_text()
    page.keyboard.press("Escape")
    expect(handed).to_have_count(0)
    assert path_of(link) == link_sent_to(house, email, after=path_of(lost))
    assert_gone(another, path_of(lost))
    join(another, path_of(link), "Ana Lima")
    go_to(another.page, "Projects")
    expect(another.page.get_by_role("link", name=some.project)).to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name="Make a new link")).to_have_count(0)
    page.get_by_role("tab", name="Projects").click()
    expect(page.get_by_role("row", name=some.project)).to_contain_text("inherited from the tenant role")
    window.look()


def path_of(link: str) -> str:
    return "/" + link.split("/", 3)[3]


def assert_gone(window: Window, link: str) -> None:
    window.expected = ["410"]
    window.go(link)
    expect(window.page.get_by_role("alert")).to_contain_text("link")


def test_whom_a_project_member_invites_waits_for_a_tenant_admin(
    window: Window, another: Window, house: House, some: Some
) -> None:
    page, name, email = window.page, p.SUPPLY, "wim@fernhill.example"
    window.sign_in_as(p.TESSA.name)  # Admin of that project, without a role in the tenant
    expect(page.get_by_role("link", name="Members", exact=True)).to_have_count(0)  # the directory is not hers
    go_to(page, "Projects")
    page.get_by_role("link", name=name).click()
    page.get_by_role("button", name="Invite somebody").click()
    page.get_by_label("E-mail address").fill(email)
    page.get_by_role("textbox", name="Name").fill("Wim Kan")
    choose(page, "Role", "Technical User")
    window.look()
    page.get_by_role("button", name="Invite", exact=True).click()
    expect(page.get_by_role("row", name="Wim Kan")).to_contain_text("waiting")
    window.look()

    another.sign_in(some.olivia)
    another.go("/members?state=waiting")
    another.page.get_by_role("link", name="Wim Kan").last.click()
    expect(another.page.get_by_role("row", name=name)).to_contain_text("Technical User")
    another.look()
    another.page.get_by_role("button", name="Confirm").click()
    another.page.get_by_role("dialog", name="The link for Wim Kan").get_by_role("button", name="Done").click()
    expect(another.page.get_by_role("button", name="Withdraw")).to_be_visible()
    another.page.goto("about:blank")  # nothing is being asked when the cookie goes
    another.page.context.clear_cookies()
    join(another, link_sent_to(house, email), "Wim Kan")
    go_to(another.page, "Projects")
    expect(another.page.get_by_role("row", name=name)).to_contain_text("Technical User")

    page.reload()
    expect(page.get_by_role("row", name="Wim Kan")).not_to_contain_text("waiting")


def test_a_role_is_raised_and_lowered_and_the_other_sees_it(window: Window, another: Window, some: Some) -> None:
    page = window.page
    another.sign_in(some.nina)
    go_to(another.page, "Projects")
    expect(another.page.get_by_text("You are in no project yet")).to_be_visible()
    another.look()

    window.sign_in(some.olivia)
    find(window, some.nina, after=some.olivia)
    choose(page, "Tenant role", "editor")
    foreseen = page.get_by_role("region", name="Who gains and loses what")
    expect(foreseen).to_contain_text(some.nina.name)
    expect(foreseen).to_contain_text("gains")
    window.look()
    page.get_by_role("button", name="Make it editor").click()
    expect(page.get_by_text(f"The tenant role of {some.nina.name} is editor now.")).to_be_visible()
    another.page.reload()
    expect(another.page.get_by_role("row", name=some.project)).to_contain_text("Technical User")

    choose(page, "Tenant role", "none")
    expect(foreseen).to_contain_text("loses")
    window.look()
    page.get_by_role("button", name="Make it none").click()
    expect(page.get_by_text(f"The tenant role of {some.nina.name} is none now.")).to_be_visible()
    page.get_by_role("alert").filter(has_text="is none now").get_by_role("button", name="Undo").click()
    expect(page.get_by_role("combobox", name="Tenant role")).to_have_value("editor")
    choose(page, "Tenant role", "none")
    page.get_by_role("button", name="Make it none").click()
    expect(page.get_by_role("button", name="Make it none")).to_have_count(0)
    page.get_by_label("data space creator").check()
    expect(foreseen).to_be_visible()
    page.get_by_role("button", name="Save security roles").click()
    expect(page.get_by_text(f"The security roles of {some.nina.name}: data space creator.")).to_be_visible()
    another.page.reload()
    expect(another.page.get_by_text("You are in no project yet")).to_be_visible()


def test_what_a_group_is_granted_counts_for_who_is_put_into_it(window: Window, another: Window, some: Some) -> None:
    page, group = window.page, "Night shift"
    window.sign_in(some.olivia)
    go_to(page, "Groups")
    page.get_by_role("button", name="New group").click()
    page.get_by_role("textbox", name="Name").fill(group)
    page.get_by_label("What it is for").fill("They read what the shops sold.")
    page.get_by_role("button", name="Make it").click()
    expect(page.get_by_text("Nobody is in it yet")).to_be_visible()
    page.get_by_role("tab", name="What it was granted").click()
    expect(page.get_by_text("Nothing was granted to it yet")).to_be_visible()
    window.look()

    go_to(page, "Projects")
    page.get_by_role("link", name=some.project).click()
    page.get_by_role("tab", name="Groups").click()
    page.get_by_role("button", name="Give a group a role").click()
    choose(page, "Group", group, typed=group)
    expect(page.get_by_text("Nobody gains or loses anything by this.")).to_be_visible()
    window.look()
    page.get_by_role("button", name="Give it").click()
    expect(page.get_by_role("row", name=group)).to_contain_text("Business User")

    page.get_by_role("link", name=group).click()
    choose(page, "Put somebody in", some.nina.name, typed=some.nina.name)
    page.get_by_role("button", name="See what changes").click()
    foreseen = page.get_by_role("region", name="Who gains and loses what")
    expect(foreseen).to_contain_text(some.project)
    window.look()
    page.get_by_role("button", name="Put them in").click()
    expect(page.get_by_role("link", name=some.nina.name)).to_be_visible()

    another.sign_in(some.nina)
    another.go("/projects")
    another.page.get_by_role("link", name=some.project).click()
    another.page.get_by_label("Find somebody").fill(some.nina.email)
    expect(another.page.get_by_role("row", name=some.nina.name)).to_contain_text(f"through the group {group}")
    another.look()

    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_text(f"Business User in the project {some.project}")).to_be_visible()
    expect(page.get_by_role("button", name=f"Delete {group}")).to_be_disabled()
    page.get_by_label(f"To be sure, type {group}").fill(group)
    window.look()
    page.get_by_role("button", name=f"Delete {group}").click()
    expect(page.get_by_role("heading", name="Groups")).to_be_visible()
    another.expected = ["404"]
    another.page.reload()
    expect(another.page.get_by_role("alert")).to_be_visible()
    window.go(f"/groups/{ALL_GROUP_ID}?part=grants")
    expect(page.get_by_text("Nothing was granted to it yet")).to_be_visible()


def test_the_last_owner_stays_one(window: Window, another: Window, house: House) -> None:
    """Nobody changes their own, and whoever was an owner a moment ago is refused in plain words."""
    page, olivia, omar = window.page, house.member(p.OLIVIA.name), house.member(p.OMAR.name)
    another.sign_in(omar)
    another.go(f"/members/{olivia.id}")
    choose(another.page, "Tenant role", "admin")
    expect(another.page.get_by_role("region", name="Who gains and loses what")).to_contain_text("loses")

    window.sign_in(olivia)
    window.go(f"/members/{omar.id}")
    choose(page, "Tenant role", "admin")
    page.get_by_role("button", name="Make it admin").click()
    expect(page.get_by_text(f"The tenant role of {omar.name} is admin now.")).to_be_visible()
    window.go(f"/members/{olivia.id}")
    expect(page.get_by_role("combobox", name="Tenant role")).to_be_disabled()
    expect(page.get_by_text("Nobody changes their own")).to_be_visible()
    page.get_by_role("button", name="Why?").click()
    expect(page.get_by_text("is not for you here")).to_be_visible()
    window.look()

    another.expected = ["403"]
    another.page.get_by_role("button", name="Make it admin").click()
    expect(another.page.get_by_role("alert")).to_contain_text("“Change tenant role” is not for you here")
    another.look()
    page.reload()
    expect(page.get_by_role("combobox", name="Tenant role")).to_have_value("owner")


def test_somebody_is_helped_in_suspended_and_removed(window: Window, another: Window, house: House, some: Some) -> None:
    with house.database.session() as session:
        make_token(session, session.get_one(Member, some.nina.id))
        group = make_group(session, "Night shift", session.get_one(Member, some.nina.id))
    page = window.page
    window.sign_in(some.olivia)
    window.go(f"/members/{some.nina.id}")
    page.get_by_role("button", name="More").click()
    page.get_by_role("menuitem", name="Send a link to sign in").click()
    expect(page.get_by_label("Show it to me")).to_be_checked()  # nothing is sent without a mail server
    page.get_by_role("button", name="Make it").click()
    link = page.get_by_role("status").locator("code").inner_text()
    window.look()
    page.get_by_role("button", name="Done").click()
    another.go(path_of(link))
    another.page.get_by_role("button", name="Sign in", exact=True).click()
    expect(another.page.get_by_role("button", name=f"{some.nina.name}: account")).to_be_visible()

    page.get_by_role("tab", name="API tokens").click()
    page.get_by_role("button", name="Revoke the token A program").click()
    page.get_by_role("button", name="Revoke A program", exact=True).click()
    expect(page.get_by_text("No token", exact=True)).to_be_visible()
    page.get_by_role("tab", name="Roles and groups").click()
    page.get_by_role("button", name=f"Take them out of {group.name}").click()
    expect(page.get_by_role("region", name="Who gains and loses what")).to_contain_text("See who is in it")
    page.get_by_role("button", name="Take them out", exact=True).click()
    expect(page.get_by_text("In no group that you may look into")).to_be_visible()

    page.get_by_role("button", name="More").click()
    page.get_by_role("menuitem", name="Suspend").click()
    page.get_by_role("button", name=f"Suspend {some.nina.name}").click()
    expect(page.get_by_text("suspended", exact=True)).to_be_visible()
    another.expected = ["401"]
    another.page.reload()
    expect(another.page.get_by_role("heading", name="Sign in")).to_be_visible()
    page.get_by_role("button", name="More").click()
    page.get_by_role("menuitem", name="Reactivate").click()
    expect(page.get_by_text("is active again")).to_be_visible()
    page.get_by_role("button", name="More").click()
    page.get_by_role("menuitem", name="Remove from the tenant").click()
    page.get_by_label(f"To be sure, type {some.nina.name}").fill(some.nina.name)
    window.look()
    page.get_by_role("button", name=f"Remove {some.nina.name}").click()
    expect(page.get_by_text("They were removed, with every role and grant.")).to_be_visible()
    window.look()


def test_the_tenant_s_settings_plan_and_news(window: Window, another: Window, some: Some) -> None:
    page = window.page
    another.sign_in(some.nina)
    expect(another.page.get_by_role("link", name="Settings", exact=True)).to_have_count(0)
    window.sign_in(some.olivia)
    go_to(page, "Settings")
    page.get_by_label("Name of the tenant").fill("Southwind")
    window.look()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("banner")).to_contain_text("Southwind")

    page.get_by_role("tab", name="Plan").click()
    page.get_by_role("region", name="The plan starter").get_by_role("button").click()
    expect(page.get_by_text("would gain Manager level on all data")).to_be_visible()
    expect(page.get_by_role("button", name="Change the plan to starter")).to_be_disabled()
    page.get_by_label("I mean it").check()
    window.look()
    page.get_by_role("button", name="Change the plan to starter").click()
    expect(page.get_by_role("region", name="The plan starter")).to_contain_text("your plan")
    page.get_by_role("region", name="The plan growth").get_by_role("button").click()
    page.get_by_role("button", name="Change the plan to growth").click()
    expect(page.get_by_role("region", name="The plan growth")).to_contain_text("your plan")

    page.get_by_role("tab", name="Notifications").click()
    failed = page.get_by_role("region", name="Receivers: A run failed")
    expect(failed).to_contain_text(some.olivia.name)
    failed.get_by_role("combobox", name="Add somebody").fill(some.nina.name)
    page.get_by_role("option", name=some.nina.name).click()
    failed.get_by_role("button", name="Add", exact=True).click()
    expect(failed.get_by_role("row", name=some.nina.name)).to_contain_text("was added")
    window.look()
    failed.get_by_role("button", name=f"Take off {some.nina.name}").click()
    expect(failed.get_by_role("row", name=some.nina.name)).to_have_count(0)

    # Of two lists on a page one is narrowed, and which it is stands in the address.
    succeeded = page.get_by_role("region", name="Receivers: A run succeeded")
    failed.get_by_role("searchbox", name="Find a receiver").fill("nobody of this name")
    expect(failed).to_contain_text("Nothing fits")
    page.reload()
    expect(failed).to_contain_text("Nothing fits")
    succeeded.get_by_role("columnheader", name="Receivers").get_by_role("button").click()
    expect(succeeded.get_by_role("searchbox", name="Find a receiver")).to_have_value("")
    expect(failed).to_contain_text(some.olivia.name)
