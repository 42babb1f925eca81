import { afterEach, expect, test, vi } from "vitest";
import { api } from "../api/client";
import { giveBack } from "./changing";
import type { Project, ProjectMember } from "./words";

const SALES = { id: "sales" } as Project;
const NOW = { granted_role: "Technical User", expires_at: null, id: "ben", email: "ben@example.com" } as const;
const GRANT = { role: "Technical User", source: "grant", group: null, expires_at: null } as const;

afterEach(() => vi.restoreAllMocks());

test("what was taken is given back by inviting who has nothing else here", async () => {
  const invite = vi.spyOn(api, "POST").mockResolvedValue({ data: {} } as never);
  await giveBack(SALES, { ...NOW, origins: [GRANT] } as unknown as ProjectMember);
  const [, sent] = invite.mock.calls[0] as unknown as [string, { body: unknown }];
  expect(sent.body).toEqual({ email: "ben@example.com", role: "Technical User", expires_at: null, show: false });
});

test("and is added to what they have from elsewhere", async () => {
  const change = vi.spyOn(api, "PATCH").mockResolvedValue({ data: {} } as never);
  const inherited = { role: "Business User", source: "tenant role", group: null, expires_at: null };
  await giveBack(SALES, { ...NOW, origins: [GRANT, inherited] } as unknown as ProjectMember);
  const [, sent] = change.mock.calls[0] as unknown as [string, { body: unknown; params: object }];
  expect(sent.body).toEqual({ role: "Technical User", expires_at: null });
  expect(sent.params).not.toHaveProperty("header"); // their grant is a new one: there is no version of it yet
});
