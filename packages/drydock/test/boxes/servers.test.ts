import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOSTILE_SERVER, PLAIN_SERVER } from "../../src/surfaces/mcp/testing/servers.ts";
import { type Caller, type CallerAgent, openCaller } from "../host/testing/open-caller.ts";

let caller: Caller;
beforeAll(async () => {
  caller = await openCaller();
});
afterAll(() => caller.close());

const PLAIN = ["python3", "-c", PLAIN_SERVER];
const newAgent = (server: Record<string, unknown>) =>
  caller.addAgent({
    grants: { tools: ["exec", "plain__add", "plain__write", "plain__fail", "plain__hang"] },
    mcpServers: [{ name: "plain", command: PLAIN, inBox: true, ...server }],
    box: { scope: "{global}" },
  });

async function use(agent: CallerAgent, ...calls: (readonly [string, object])[]): Promise<string[]> {
  const listed = calls.map(([tool_name, parameters]) => ["call_tool", { tool_name, parameters }] as const);
  const { answers } = await agent.ask({ calls: listed });
  return answers.map((answer) => String((answer.result as { text?: string })?.text ?? JSON.stringify(answer)));
}
const statusOf = async (agent: CallerAgent) =>
  (await caller.dock.boxes.list()).find((box) => box.agent === agent.name)?.servers[0];
const count = "pgrep -fc 'serverInf[o]'";

describe("an MCP server in a box", () => {
  it("works on the box's files, lasts over several runs, and ends with the box", async () => {
    const agent = await newAgent({});
    const [sum, wrote, seen] = await use(
      agent,
      ["plain__add", { a: 2, b: 3 }],
      ["plain__write", {}],
      ["exec", { code: "cat planted.txt" }],
    );
    expect([sum, wrote, seen]).toEqual(["5", "written", "x"]);
    const pid = "pgrep -of 'serverInf[o]'";
    const [first] = await use(agent, ["exec", { code: pid }]);
    expect(await use(agent, ["plain__add", { a: 1, b: 1 }], ["exec", { code: pid }])).toEqual(["2", first]);
    expect(await statusOf(agent)).toEqual({ name: "plain", status: "connected", problem: null, tools: 6, restarts: 0 });
    expect(await use(agent, ["plain__fail", {}])).toEqual([expect.stringContaining("it did not work")]);
    const [open] = (await caller.dock.boxes.list()).filter((box) => box.agent === agent.name);
    await caller.dock.boxes.close(open?.id ?? "");
    expect(await use(agent, ["exec", { code: count }])).toEqual([expect.stringMatching(/^0/)]);
  });

  it("that dies is started again by itself, a little later; calls meanwhile say so", async () => {
    const agent = await newAgent({});
    await use(agent, ["plain__add", { a: 1, b: 1 }]);
    const [, early] = await use(
      agent,
      ["exec", { code: "pkill -9 -f 'serverInf[o]'; sleep 0.3" }],
      ["plain__add", { a: 1, b: 1 }],
    );
    expect(early).toMatch(/does not run: .*/);
    expect(await statusOf(agent)).toMatchObject({ status: "error", tools: 0 });
    await expect.poll(() => statusOf(agent), { timeout: 8000 }).toMatchObject({ status: "connected", restarts: 1 });
    expect(await use(agent, ["plain__add", { a: 2, b: 2 }], ["exec", { code: count }])).toEqual(["4", "1"]);
  });

  it("that is switched off, or has no program, says why", async () => {
    const off = await newAgent({ enabled: false });
    expect((await use(off, ["plain__add", {}]))[0]).toContain("is switched off");
    expect(await statusOf(off)).toMatchObject({ status: "disabled" });
    const missing = await newAgent({ command: ["no-such-program"] });
    expect((await use(missing, ["plain__add", {}]))[0]).toContain("no-such-program can't be started");
    expect(await statusOf(missing)).toMatchObject({ status: "error", problem: expect.stringContaining("no-such") });
    await expect(newAgent({ policy: { network: { allow: ["a.org"] } } })).rejects.toThrow("policy of the box");
  });

  it("that never answers is ended when its start takes too long", async () => {
    const agent = await newAgent({ command: ["python3", "-c", HOSTILE_SERVER, "silent"], startSeconds: 1 });
    expect((await use(agent, ["plain__add", {}]))[0]).toContain("did not start within 1 s");
    expect(await use(agent, ["exec", { code: "pgrep -fc 'serverInf[o]'" }])).toEqual([expect.stringMatching(/^0/)]);
  });

  it("that floods is ended, and the box goes on", async () => {
    const agent = await newAgent({ command: ["python3", "-c", HOSTILE_SERVER, "flood"] });
    expect((await use(agent, ["plain__add", {}]))[0]).toContain("more than 4194304 characters");
    expect(await use(agent, ["exec", { code: "echo fine" }])).toEqual(["fine"]);
  });
});
