import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { afterEach, describe, expect, it } from "vitest";
import { connectTo, useMcp } from "./testing/use-mcp.ts";

const clients: Client[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});

describe.each(["auto", "legacy"] as const)("files that run by themselves, over MCP (%s)", (mode) => {
  const place = useMcp(mode);

  async function connect(answer?: (message: string) => object): Promise<Client> {
    const client = await connectTo(place().url, mode, answer);
    clients.push(client);
    return client;
  }

  async function makeRun(): Promise<string> {
    rmSync(join(place().workspace, ".rvmrc"), { force: true });
    const code = "open('.rvmrc', 'w').write('x')";
    const { structuredContent } = await place().call("execute_code", { code, workspace: "." });
    return String(structuredContent.runId);
  }

  const isDelivered = () => existsSync(join(place().workspace, ".rvmrc"));

  it("are not delivered on a model's word", async () => {
    const run = await makeRun();
    const refused = await place().call("run_apply", { run });
    expect(refused).toMatchObject({ isError: true, structuredContent: { error: { code: "policy.approval_denied" } } });
    expect(refused.structuredContent.error?.hint).toContain("--allow-autorun");
    const forced = await place().call("run_apply", { run, allowAutorun: true });
    expect(forced.structuredContent.error?.code).toBe("input.invalid");
    expect(isDelivered()).toBe(false);
  });

  it("are delivered when the person whom the client asks says yes, and only then", async () => {
    const run = await makeRun();
    let answer: object = { action: "decline" };
    const requests: string[] = [];
    const client = await connect((message) => {
      requests.push(message);
      return answer;
    });
    const apply = () => client.callTool({ name: "run_apply", arguments: { run } });
    for (const no of [{ action: "decline" }, { action: "cancel" }, { action: "accept", content: { agree: false } }]) {
      answer = no;
      expect(await apply()).toMatchObject({
        isError: true,
        structuredContent: { error: { code: "policy.approval_denied" } },
      });
    }
    expect(isDelivered()).toBe(false);
    answer = { action: "accept", content: { agree: true } };
    expect((await apply()).structuredContent).toMatchObject({ ok: true, outcome: "applied" });
    expect(isDelivered()).toBe(true);
    expect(requests).toHaveLength(4);
    expect(requests[0]).toContain(".rvmrc (rvm runs it when you enter the directory)");
  });
});

describe("an answer", () => {
  const place = useMcp("auto");

  it("to a question that nobody asked, or that was about another run, delivers nothing", async () => {
    const make = async (text: string) => {
      const code = `open('.rvmrc', 'w').write('${text}')`;
      return (await place().call("execute_code", { code, workspace: "." })).structuredContent.runId;
    };
    const [first, second] = [await make("x"), await make("y")];
    const client = await connectTo(place().url, "auto", () => ({ action: "decline" }));
    clients.push(client);
    const inputResponses = { agree: { action: "accept", content: { agree: true } } };
    const send = (run: unknown, answered: { requestState?: string; inputResponses?: object } = {}) => {
      const params = { name: "run_apply", arguments: { run }, ...answered };
      return client.request({ method: "tools/call", params }, { allowInputRequired: true });
    };
    const ask = async (run: unknown) => String(Object(await send(run)).requestState);
    const wrong = { isError: true, structuredContent: { error: { code: "input.invalid" } } };
    const invented = "00000000-0000-0000-0000-000000000000";
    expect(await send(first, { requestState: invented, inputResponses })).toMatchObject(wrong);
    expect(await send(second, { requestState: await ask(first), inputResponses })).toMatchObject(wrong);
    expect(existsSync(join(place().workspace, ".rvmrc"))).toBe(false);
    const requestState = await ask(first);
    const applied = await send(first, { requestState, inputResponses });
    expect(applied).toMatchObject({ structuredContent: { outcome: "applied" } });
    expect(await send(first, { requestState, inputResponses })).toMatchObject(wrong);
  });
});
