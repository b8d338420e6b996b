import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";
import { createAsk, retrieve } from "./testing/create-ask.ts";

const t = openTestDock();
const { ask } = createAsk(() => t.dock);

beforeAll(() => t.dock.host.plugins.add(join(import.meta.dirname, "plugins/caller")));

it("an agent is not granted a knowledge base that is not there", async () => {
  const agent = { name: "wrong", runner: "plugin:test/caller/all", grants: { knowledge: ["opne"] } };
  await expect(t.dock.host.agents.add(agent)).rejects.toMatchObject({ code: "knowledge.not_found" });
  await t.dock.host.agents.add({ name: "none", runner: agent.runner });
  await expect(t.dock.host.agents.change("none", { grants: { knowledge: ["opne"] } })).rejects.toMatchObject({
    code: "knowledge.not_found",
  });
});

it("a base that took the name of a removed one is another one", async () => {
  const { knowledge, host } = t.dock;
  const folder = t.makeWorkspace({ "first/a.md": "the crane", "second/a.md": "the crane, in secret" });
  await knowledge.add("brief", [join(folder, "first")]);
  const [before] = await knowledge.find(["brief"]);
  await host.agents.add({ name: "brief", runner: "plugin:test/caller/all", grants: { knowledge: [before?.id ?? ""] } });
  await host.agents.bind({ agent: "brief", scope: "conversation", value: "brief" });
  expect((await ask("brief", retrieve("brief"))).results).toMatchObject([{ items: [{}] }]);
  await knowledge.remove("brief");
  await knowledge.add("brief", [join(folder, "second")]);
  expect((await ask("brief", retrieve("brief"))).results).toMatchObject([{ code: "unauthorized" }]);
});
