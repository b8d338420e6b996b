import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadAgents } from "drydock";
import { describe, expect, it } from "vitest";
import { openTaskDock } from "../testing/task-dock.ts";

const tasks = openTaskDock();

describe("a file of agents", () => {
  const write = (name: string, source: string) => {
    const directory = join(tasks.directory, "files");
    mkdirSync(directory, { recursive: true });
    const path = join(directory, name);
    writeFileSync(path, source);
    return path;
  };

  it.each([
    ["that throws", "throws.mjs", "throw new Error('not today')", "not today"],
    ["that never ends", "never.mjs", "while (true) {}", "longer than"],
    ["that waits for ever", "waits.mjs", "await new Promise(() => setInterval(() => {}, 1000))", "longer than"],
    ["that ends the process", "exits.mjs", "process.exit(0)", "ends the process"],
    ["without agents", "none.mjs", "export const a = 1", "exports no agents"],
    ["that imports what is not there", "imports.mjs", "import 'no-such-package'", "no-such-package"],
  ])("%s is refused, and the host goes on", async (_, name, source, message) => {
    const load = loadAgents(write(name, source), { timeoutMs: 1500 });
    await expect(load).rejects.toMatchObject({ code: "input.invalid", message: expect.stringContaining(message) });
  });

  it("that does not exist is refused", async () => {
    await expect(loadAgents("/nowhere/agents.ts")).rejects.toMatchObject({ code: "input.invalid" });
  });
});
