import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { agents, loadAgents } from "drydock";
import { describe, expect, it } from "vitest";
import { CHILD_FLAGS } from "../../src/base/testing/child-flags.ts";
import { openTaskDock } from "../testing/task-dock.ts";

const tasks = openTaskDock();
const root = join(import.meta.dirname, "..", "..", "..", "..");
const examples = join(root, "examples");

async function run(args: string[], model = `scripted:${join(examples, "answers.yaml")}`): Promise<string> {
  const env = {
    ...process.env,
    DRYDOCK_HOME: join(tasks.directory, "examples"),
    DRYDOCK_MODEL: model,
    NODE_OPTIONS: "",
  };
  const { stdout } = await promisify(execFile)(process.execPath, [...CHILD_FLAGS, ...args], { cwd: examples, env });
  return stdout;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe("the examples", () => {
  it.each([
    ["fibonacci.ts", ["→ 6765"]],
    ["data-frame.ts", ["average age: 30"]],
    ["chart.ts", ['{"units":6,"price":30}', "picture: "]],
    ["task.ts", ['"result": "may"', "measured in Lisbon"]],
    ["workflow.ts", ["3. Add them up: skipped", "3. Add them up: done 12"]],
    ["hooks.ts", ["mended the code: 55", "came before the end: 3"]],
    ["ask-agents.ts", ["ada@example.org", "Three lamps cost 120 euros, Ada."]],
  ])("%s does what it says", async (file, lines) => {
    const stdout = await run([file]);
    for (const line of lines) expect(stdout).toContain(line);
  });

  it("fetch-price.ts is refused first, and fetches where it may", async () => {
    const port = await freePort();
    const answers = readFileSync(join(examples, "answers.yaml"), "utf8").replaceAll("18765", String(port));
    const script = join(tasks.directory, "answers.yaml");
    writeFileSync(script, answers);
    const stdout = await run(["fetch-price.ts", String(port)], `scripted:${script}`);
    expect(stdout).toContain("refused: policy.network_denied");
    expect(stdout).toContain("fetched: 64000");
  });

  it("agents.test.ts passes under node --test, from its recording", async () => {
    expect(await run(["--test", "--test-reporter=tap", "agents.test.ts"], "")).toContain("# pass 2");
  });

  it("agents.ts is loaded as a file of agents", async () => {
    const loaded = await loadAgents(join(examples, "agents.ts"), { host: tasks.dock });
    expect(loaded.map(({ name }) => name).sort()).toEqual(["assistant", "calculate", "extractContact", "summarize"]);
    const summarize = loaded.find(({ name }) => name === "summarize");
    expect(await summarize?.("x", { model: `scripted:${join(examples, "answers.yaml")}` })).toContain("ship");
    agents.use(null);
  });
});
