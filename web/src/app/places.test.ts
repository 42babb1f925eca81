import { expect, test } from "vitest";
import type { Me } from "../tenancy/session";
import { placeOf, placesFor } from "./places";

const somebody = (...actions: string[]) => ({ tenant: { actions } }) as unknown as Me;

test("what is not for somebody is no place of theirs", () => {
  const names = (me: Me) => placesFor(me).map((place) => place.name);
  expect(names(somebody())).not.toContain("Members");
  expect(names(somebody("see_members", "see_settings"))).toEqual(expect.arrayContaining(["Members", "Settings"]));
});

test("an address lies in the place it begins with, and home is only home", () => {
  const places = placesFor(somebody());
  const named = (pathname: string) => placeOf(places, pathname)?.name;
  expect(named("/")).toBe("Home");
  expect(named("/tables")).toBe("Tables");
  expect(named("/tables/7")).toBe("Tables");
  expect(named("/tablesque")).toBeUndefined();
  expect(named("/members/7")).toBeUndefined();
});
