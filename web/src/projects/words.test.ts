import { expect, test } from "vitest";
import { grantOrChange, rolesToInvite, whence } from "./words";

test("the roles to invite with are those the API allows", () => {
  expect(rolesToInvite(["invite_technical_user", "invite_business_user", "see_members"])).toEqual([
    "Business User",
    "Technical User",
  ]);
  expect(rolesToInvite([])).toEqual([]);
});

test("where a role comes from is said in words, and a group that is not to be seen is not named", () => {
  expect(whence({ source: "tenant role", group: null })).toBe("inherited from the tenant role");
  expect(whence({ source: "grant", group: null })).toBe("granted directly");
  expect(whence({ source: "group", group: { id: "1", name: "Finance" } })).toBe("through the group Finance");
  expect(whence({ source: "group", group: null })).toBe("through a group");
});

test("what somebody has is changed, and what they have not is granted", () => {
  expect(grantOrChange("Admin")).toBe("change_project_role");
  expect(grantOrChange(null)).toBe("grant_project_role");
});
