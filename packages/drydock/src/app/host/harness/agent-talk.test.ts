import { expect, it } from "vitest";
import { createAgentTalk } from "./agent-talk.ts";

function open(gateway: { url: string; token: string } | null = null) {
  const written: string[] = [];
  const faults: string[] = [];
  const talk = createAgentTalk({
    ...{ gateway, write: (line: string) => void written.push(line) },
    onFault: (reason) => void faults.push(reason),
    decide: async () => ({ outcome: { outcome: "cancelled" } }),
  });
  const send = (method: string, params: object = {}, id = 1) =>
    talk.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
  return { talk, written, faults, send, last: () => JSON.parse(written.at(-1) ?? "null") };
}

it("says itself which directory and servers a session has; the token goes to the agent alone", async () => {
  const { talk, send, last } = open({ url: "http://127.0.0.1:1/runs/run_1/mcp", token: "secret-token" });
  send("initialize", { clientCapabilities: {} });
  expect(last().params.clientCapabilities).toMatchObject({ terminal: true });
  talk.hear(
    `${JSON.stringify({ jsonrpc: "2.0", id: 1, result: { agentCapabilities: { mcpCapabilities: { http: true } } } })}\n`,
  );
  send("session/new", { cwd: "/etc", mcpServers: [{ name: "evil", command: "/bin/sh", args: [], env: [] }] });
  expect(last().params).toEqual({
    cwd: "/work",
    mcpServers: [
      {
        ...{ type: "http", name: "drydock", url: "http://127.0.0.1:3129/mcp" },
        headers: [{ name: "Authorization", value: "Bearer secret-token" }],
      },
    ],
  });
  expect(JSON.stringify(await talk.read())).not.toContain("secret-token");
});

it.each(["session/set_mode", "session/set_config_option", "fs/write_text_file", "_drydock/mcp"])(
  "lets no runner ask for %s",
  (method) => {
    const { send, written } = open();
    expect(() => send(method)).toThrow(/can't ask an agent for/);
    expect(written).toEqual([]);
  },
);

it("lets one turn go on at a time", () => {
  const { send, talk } = open();
  send("session/prompt", { sessionId: "a" }, 1);
  expect(() => send("session/prompt", { sessionId: "a" }, 2)).toThrow(/one at a time/);
  talk.hear('{"jsonrpc":"2.0","id":1,"result":{"stopReason":"end_turn"}}\n');
  expect(() => send("session/prompt", { sessionId: "a" }, 3)).not.toThrow();
});

it("ends an agent that runs ahead of its runner, or whose messages never end", async () => {
  const fast = open();
  const message = `${JSON.stringify({ jsonrpc: "2.0", method: "session/update", params: { text: "x".repeat(1_000_000) } })}\n`;
  for (let sent = 0; sent < 40; sent += 1) fast.talk.hear(message);
  expect(fast.faults).toContain("it writes faster than its runner can read");
  expect((await fast.talk.read()).messages.length).toBeLessThan(3);
  const long = open();
  long.talk.hear(`{"a":"${"x".repeat(5_000_000)}"}\n`);
  expect(long.faults).toEqual(["it sent a message of more than 4 MB"]);
  const endless = open();
  for (let sent = 0; sent < 34; sent += 1) endless.talk.hear("x".repeat(1_000_000));
  expect(endless.faults).toContain("it sent a message that does not end");
});

it("passes over lines that are no messages, and gives what is left before it says that the agent has ended", async () => {
  const { talk, send } = open();
  talk.hear('hello\n[1]\n{"jsonrpc":"2.0","method":"a"}\n');
  talk.end("it ended with status 0");
  expect(await talk.read()).toEqual({ messages: ['{"jsonrpc":"2.0","method":"a"}'], ended: "it ended with status 0" });
  expect(() => send("session/prompt")).toThrow(/has ended/);
});
