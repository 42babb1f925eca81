/** What is shown after a change is what there is after it. */
import { QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { Client } from "./queries";

test("a first answer that was asked for before a change is not left standing after it", async () => {
  const client = new Client();
  const answers: ((value: string) => void)[] = [];
  const observer = new QueryObserver(client, {
    queryKey: ["members", "list"],
    queryFn: () => new Promise<string>((answer) => answers.push(answer)),
  });
  const stop = observer.subscribe(() => {});
  const changed = client.invalidateQueries({ queryKey: ["members"] });
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.("after");
  answers[0]?.("before");
  await changed;
  expect(observer.getCurrentResult().data).toBe("after");
  stop();
});

test("what others wait for is not cut off", async () => {
  const client = new Client();
  const asked = client.fetchQuery({ queryKey: ["me"], queryFn: async () => "Olga" });
  await client.invalidateQueries();
  expect(await asked).toBe("Olga");
});
