import { expect, test } from "vitest";
import { inWords } from "./MissingWays";

const change = (fact: string, has: string, needs: string, given_by: string) => ({ fact, has, needs, given_by });

test("a way says what it takes, what there is, and who can give it", () => {
  expect(inWords([change("level", "Viewer", "Editor", "Managers")])).toBe(
    "level Editor (it is Viewer), given by Managers",
  );
});

test("where two things are needed, each giver is named once", () => {
  const way = [change("owner", "no", "yes", "Admins"), change("available", "no", "yes", "Admins")];
  expect(inWords(way)).toBe("owner yes (it is no) and available yes (it is no), given by Admins");
});
