// Tests of one's own agents: a model was recorded once, and answers from the file ever after. `node --test` runs them.
import { join } from "node:path";
import { after, before, test } from "node:test";
import { agents } from "drydock";
import { assertCode, assertOk, assertResult, assertToolCalls, openTestDock, type TestDock } from "drydock/testing";
import { assistant, calculate } from "./agents.ts";

let kit: TestDock;
before(async () => {
  kit = await openTestDock({ recording: join(import.meta.dirname, "recordings", "agents.json") });
  agents.use(kit.dock);
});
after(() => kit.close());

test("calculates with code", async () => {
  const executed = await calculate("What is 2 to the power of 20?");
  assertOk(executed);
  assertCode(executed, "**");
  assertResult(executed, 1048576);
});

test("looks prices up before it calculates", async () => {
  const answered = await assistant.run({ question: "What do three lamps cost?", customer: { name: "Ada" } });
  assertToolCalls(answered, [{ name: "priceOf", arguments: { article: "lamp" } }, "calculate"]);
});
