import { describe, expect, it } from "vitest";
import { useMcp } from "./testing/use-mcp.ts";

describe("what a client is told of", () => {
  const own = useMcp("auto");
  const all = useMcp("auto", { extensions: ["*"] });
  const some = useMcp("auto", { extensions: ["jq", "csv"] });
  const byTool = useMcp("auto", { tools: ["session_*", "jq__*"] });
  const namesOf = async (place: typeof own) => (await place().client.listTools()).tools.map(({ name }) => name);

  it("is Drydock's own tools, and what extensions declare only by choice", async () => {
    const core = await namesOf(own);
    expect(core).toContain("execute_code");
    expect(core.filter((name) => name.includes("__"))).toEqual([]);
    expect(await namesOf(all)).toEqual(expect.arrayContaining([...core, "jq__data", "git__log"]));
    const chosen = (await namesOf(some)).filter((name) => name.includes("__"));
    expect(new Set(chosen.map((name) => name.split("__")[0]))).toEqual(new Set(["jq", "csv"]));
    const listed = await namesOf(byTool);
    expect(listed).toContain("jq__data");
    expect(listed.every((name) => /^(session_|jq__)/.test(name))).toBe(true);
  });

  it("takes up much less room than with every extension", async () => {
    const sizeOf = async (place: typeof own) => JSON.stringify((await place().client.listTools()).tools).length;
    const [core, everything] = [await sizeOf(own), await sizeOf(all)];
    expect(core * 2).toBeLessThan(everything);
  });

  it("calls the id of a session the same in each tool, and the name from before still works", async () => {
    const { call } = own();
    const { sessionId } = (await call("session_open")).structuredContent;
    const step = async (args: Record<string, unknown>) =>
      (await call("session_exec", { code: "6 * 7", ...args })).structuredContent;
    expect(await step({ sessionId })).toMatchObject({ ok: true, result: 42, sessionId });
    expect(await step({ session: sessionId })).toMatchObject({ ok: true, result: 42, sessionId });
    expect(await step({ session: sessionId, sessionId })).toMatchObject({
      ok: false,
      error: { code: "input.invalid" },
    });
    expect((await call("session_close", { sessionId })).structuredContent).toMatchObject({ closed: true });
  });

  it("calls the id of a run the same in each tool, and the name from before still works", async () => {
    const { call } = own();
    const { runId } = (await call("execute_code", { code: "open('a', 'w').write('b')" })).structuredContent;
    const diff = async (args: Record<string, unknown>) => (await call("run_diff", args)).structuredContent;
    expect(await diff({ runId })).toMatchObject({ ok: true, runId, diff: expect.stringContaining("+b") });
    expect(await diff({ run: runId })).toMatchObject({ ok: true, runId });
    expect(await diff({ run: runId, runId })).toMatchObject({ ok: false, error: { code: "input.invalid" } });
  });

  it("takes by no other name than it gives: every id of a result is an argument of the same name", async () => {
    const { tools } = await own().client.listTools();
    const namesIn = (part: "inputSchema" | "outputSchema") =>
      new Set(tools.flatMap((tool) => Object.keys(Object(tool[part]?.properties))));
    const [taken, given] = [namesIn("inputSchema"), namesIn("outputSchema")];
    expect([...given].filter((name) => name.endsWith("Id")).toSorted()).toEqual(["runId", "sessionId"]);
    expect([...taken].filter((name) => /^(run|session)/.test(name)).toSorted()).toEqual(["runId", "sessionId"]);
  });
});
