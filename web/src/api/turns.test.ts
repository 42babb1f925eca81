import { expect, test } from "vitest";
import { inTurn } from "./turns";

const here = () => new AbortController();

/** Questions by what they are about, to be answered or refused by hand. */
function asking() {
  const answers = new Map<string, { answer: (text: string) => void; refuse: (error: Error) => void }>();
  const ask = (about: string) => () =>
    new Promise<string>((answer, refuse) => {
      answers.set(about, { answer, refuse });
    });
  return { ask, answers, asked: () => [...answers.keys()] };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));

test("the third question waits for an answer, and what was given up is not asked", async () => {
  const { ask, answers, asked } = asking();
  const typed = ["z", "za", "zac", "zach"].map((about) => {
    const control = here();
    return { control, answer: inTurn("people", control.signal, ask(about)) };
  });
  const [first, , third, fourth] = typed;
  third?.answer.catch(() => {});
  await settled();
  expect(asked()).toEqual(["z", "za"]);
  third?.control.abort();
  answers.get("z")?.answer("about z");
  await expect(first?.answer).resolves.toBe("about z");
  await settled();
  expect(asked()).toEqual(["z", "za", "zach"]);
  await expect(third?.answer).rejects.toThrow();
  answers.get("zach")?.answer("about zach");
  await expect(fourth?.answer).resolves.toBe("about zach");
});

test("a question that was refused makes room, and another queue is not waited for", async () => {
  const { ask, answers, asked } = asking();
  const [first, second, third] = ["a", "b", "c"].map((about) => inTurn("tables", here().signal, ask(about)));
  second?.catch(() => {});
  await expect(inTurn("people", here().signal, async () => "quick")).resolves.toBe("quick");
  answers.get("a")?.refuse(new Error("no"));
  await expect(first).rejects.toThrow("no");
  await settled();
  expect(asked()).toEqual(["a", "b", "c"]);
  answers.get("c")?.answer("about c");
  await expect(third).resolves.toBe("about c");
});
