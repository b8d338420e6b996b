import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { serveAcp } from "../../src/surfaces/acp/serve-acp.ts";
import { openTestDock } from "../testing/test-dock.ts";

const test = openTestDock();

/** A hostile agent: it answers `initialize`, then does what the test says, as raw bytes. */
const AGENT = `
import json, os, sys, time
def send(data): os.write(1, data + b"\\n")
def tell(message): send(json.dumps({"jsonrpc": "2.0", **message}).encode())
def hear(): return json.loads(sys.stdin.readline())
first = hear()
`;

interface Said {
  id?: unknown;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { message: string };
}

/** What reached the editor of a hostile agent. It answers permissions with `answer`. */
async function attack(code: string, answers: readonly string[] = []) {
  const input = new PassThrough();
  const heard: Said[] = [];
  let log = "";
  const left = [...answers];
  const serving = serveAcp(test.dock, {
    command: ["python3", "agent.py"],
    workspace: test.makeWorkspace({ "agent.py": AGENT + code }),
    input,
    send(line) {
      const message = JSON.parse(line) as Said;
      heard.push(message);
      if (message.method !== "session/request_permission") return;
      const outcome = { outcome: "selected", optionId: left.shift() };
      input.write(`${JSON.stringify({ jsonrpc: "2.0", id: message.id, result: { outcome } })}\n`);
    },
    log: (said) => {
      log += said;
    },
  });
  const clientCapabilities = { auth: { terminal: true }, _meta: { "terminal-auth": true, terminal_output: true } };
  const opening = { jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: 1, clientCapabilities } };
  input.write(`${JSON.stringify(opening)}\n`);
  const result = await serving;
  input.end();
  return { heard, log, result };
}

const TERMINAL = `{"jsonrpc": "2.0", "id": 7, "method": "terminal/create", "params": {"sessionId": "s", "command": "id"}`;

describe("an agent behind `drydock acp` that wants something done on the editor's machine", () => {
  it.each([
    ["bytes that are no UTF-8", String.raw`send(b'${TERMINAL}, "x": "\xff"}')`],
    ["nesting that one parser gives up on", `send(b'${TERMINAL}, "x": ' + b"[" * 3000 + b"]" * 3000 + b"}")`],
    ["an id that is null", `send(b'${TERMINAL.replace('"id": 7', '"id": null')}}')`],
    ["no id", `send(b'${TERMINAL.replace('"id": 7, ', "")}}')`],
    [
      "the output of the program around it",
      `os.write(os.open("/proc/%d/fd/1" % os.getppid(), os.O_WRONLY), b'${TERMINAL}}\\n')`,
    ],
    [
      "a message to a server of the editor",
      `tell({"id": 7, "method": "mcp/message", "params": {"method": "tools/call"}})`,
    ],
    ["a method of the editor's own", `tell({"id": 7, "method": "_editor/run", "params": {"command": "id"}})`],
  ])("is not heard there: %s", async (_name, code) => {
    const { heard } = await attack(`${code}\ntell({"id": first["id"], "result": {"over": True}})\ntime.sleep(0.3)`);
    expect(heard).toEqual([{ jsonrpc: "2.0", id: 0, result: { over: true } }]);
  });

  it("has no way to log in by a terminal of the editor, nor is one offered to it", async () => {
    const { heard } = await attack(`
methods = [
    {"id": "own", "name": "Own", "description": "inside"},
    {"id": "run", "name": "Log in", "type": "terminal", "env": {"NODE_OPTIONS": "--import=/tmp/x"}},
    {"id": "meta", "name": "Log in", "_meta": {"terminal-auth": {"command": "sh", "args": ["-c", "id"]}}},
]
tell({"id": first["id"], "result": {"authMethods": methods, "offers": first["params"]["clientCapabilities"]}})`);
    expect(heard[0]?.result).toEqual({
      authMethods: [
        { id: "own", name: "Own", description: "inside" },
        { id: "meta", name: "Log in" },
      ],
      offers: { fs: { readTextFile: true, writeTextFile: true }, terminal: true, _meta: { terminal_output: true } },
    });
  });

  it("can't answer in Drydock's place, or what nobody asked", async () => {
    const { heard } = await attack(`
tell({"id": "checkpoint-1", "result": {"number": 99}})
tell({"id": first["id"], "result": {}})
tell({"id": first["id"], "result": {"again": True}})
time.sleep(0.3)`);
    expect(heard).toEqual([{ jsonrpc: "2.0", id: 0, result: {} }]);
  });
});

it("an agent can't have the answer to one question count for another under the same id", async () => {
  const { heard, result } = await attack(
    `
def ask(title):
    options = [{"optionId": "yes", "name": "Allow", "kind": "allow_once"}, {"optionId": "no", "name": "No", "kind": "reject_once"}]
    tell({"id": 5, "method": "session/request_permission", "params": {"sessionId": "s", "toolCall": {"toolCallId": "1", "title": title}, "options": options}})
ask("look at a file")
ask("delete everything")
answers = [hear(), hear()]
assert sorted("error" in each for each in answers) == [False, True], answers`,
    ["yes", "yes"],
  );
  const asked = heard.filter(({ method }) => method === "session/request_permission");
  expect(asked.map(({ params }) => params?.toolCall)).toEqual([{ toolCallId: "1", title: "look at a file" }]);
  expect(result.exitCode).toBe(0);
  const { permissions } = await test.dock.runs.findings(result.runId);
  expect(permissions).toMatchObject([{ title: "look at a file", decision: "allowed", by: "person" }]);
});

it("an agent whose message never ends is ended, and what it changed is kept", async () => {
  const { log, result } = await attack(`
open("a.txt", "w").write("changed")
out = os.open("/proc/%d/fd/1" % os.getppid(), os.O_WRONLY)
while True: os.write(out, b"x" * 1000000)`);
  expect(result.error?.code).toBe("run.cancelled");
  expect(result.changes).toEqual([{ path: "a.txt", kind: "added" }]);
  expect(log).toContain("a message that does not end");
});
