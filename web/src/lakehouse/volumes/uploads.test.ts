import { expect, test } from "vitest";
import { Problem } from "../../api/client";
import { after, howFar, isUnderWay, type Step, toBegin, type Upload } from "./uploads";

function upload(id: number): Upload {
  return {
    id,
    path: `${id}.csv`,
    file: new File(["12345678"], `${id}.csv`),
    overwrite: false,
    sent: 0,
    state: "waiting",
  };
}

function through(...steps: Step[]): readonly Upload[] {
  return steps.reduce<readonly Upload[]>(after, [upload(1), upload(2), upload(3)]);
}

test("two are sent at once, the others wait for their turn", () => {
  expect(toBegin(through()).map((one) => one.id)).toEqual([1, 2]);
  const begun = through({ does: "begin", id: 1 }, { does: "begin", id: 2 });
  expect(toBegin(begun)).toEqual([]);
  expect(toBegin(after(begun, { does: "arrive", id: 1 })).map((one) => one.id)).toEqual([3]);
});

test("how far one is never says all before the server has said so", () => {
  const [sending] = through({ does: "begin", id: 1 }, { does: "send", id: 1, bytes: 8 });
  expect(sending && howFar(sending)).toBe(99);
  const [arrived] = through({ does: "arrive", id: 1 });
  expect(arrived && howFar(arrived)).toBe(100);
});

test("what failed is tried again, and may replace what is there", () => {
  const failed = through(
    { does: "begin", id: 1 },
    { does: "fail", id: 1, problem: new Problem(409, "There already.") },
  );
  expect(failed[0]).toMatchObject({ state: "failed", problem: { message: "There already." } });
  expect(after(failed, { does: "retry", id: 1, overwrite: true })[0]).toMatchObject({
    state: "waiting",
    overwrite: true,
    problem: undefined,
  });
});

test("tidying keeps what is under way", () => {
  const left = through({ does: "arrive", id: 1 }, { does: "stop", id: 2 }, { does: "tidy" });
  expect(left.map((one) => one.id)).toEqual([3]);
  expect(left.every(isUnderWay)).toBe(true);
});
