import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startProviderServer } from "../../models/testing/provider-server.ts";
import { runCli, runJson } from "./testing/run-cli.ts";
import { useHome } from "./testing/use-home.ts";

useHome();
const ECHO = join(import.meta.dirname, "../../../../../runners/echo");
const ODD = join(import.meta.dirname, "../../../test/host/plugins/odd");
const out = async (...argv: string[]) => (await runCli(...argv)).stdout;

it("shows how the host stands, before and after there is something", async () => {
  expect(await out("host", "status")).toMatch(
    /agents: +0\n.*under way: +nothing\nPLUGIN.*drydock\/local-agent +0\.1\.0 +ready/s,
  );
  await runCli("plugin", "add", ECHO, "--yes");
  await runCli("agent", "new", "helper", "--runner", "plugin:drydock/echo/echo", "--model", "a/b");
  await runCli("agent", "bind", "helper");
  expect(await out("agent", "send", "Hello", "there")).toBe("Hello there\n");
  const { value } = await runJson("host", "status");
  expect(value).toMatchObject({ agents: 1, bindings: 1, conversations: 1, unhandled: 0, running: [] });
  expect(await out("host", "status")).toMatch(/drydock\/echo +0\.1\.0 +ready/);
});

it("shows what was wrong and belongs to no run when its process is gone, and a message that differs from its pieces", async () => {
  await runCli("plugin", "add", ODD, "--yes");
  await runCli("agent", "new", "odd", "--runner", "plugin:test/odd/default");
  expect(await out("host", "status")).toMatch(/LAST +WARNING +TIMES +WHAT\n\S+ \S+ +fault +1 +.*runner 2 is not valid/);
  const say = (text: string) => out("agent", "send", text, "--to", "odd", "--conversation", "odd");
  expect([await say("stream"), await say("redraft")]).toEqual(["one two three\n", "a draft\nthe answer\n"]);
  await runCli("agent", "remove", "odd");
});

it("enables an agent on this machine after it has shown what it may do", async () => {
  const directory = mkdtempSync(join(tmpdir(), "drydock-enable-"));
  const config = JSON.stringify({ command: ["agent-that-is-not-there"], directory, hosts: ["example.org:443"] });
  expect((await runCli("agent", "new", "coder", "--runner", "acp-agent", "--config", config)).status).toBe(0);
  expect(await runCli("agent", "enable", "coder")).toMatchObject({
    stdout: expect.stringMatching(/program: +agent-that-is-not-there\n +directory: +.*! It can send what it reads to/s),
    stderr: expect.stringContaining("there is no terminal to ask on"),
  });
  expect((await runJson("agent", "send", "hi", "--to", "coder", "--conversation", "coder")).value).toMatchObject({
    ok: false,
  });
  expect(await out("agent", "enable", "coder", "--yes")).toMatch(
    /permissions: +a person is asked[\s\S]*is enabled\.\n$/,
  );
  expect((await runJson("agent", "enable", "coder", "--yes")).value).toMatchObject({ enabled: true, directory });
  expect(await out("agent", "disable", "coder")).toBe("The agent coder is off.\n");
  await runCli("agent", "remove", "coder");
  rmSync(directory, { recursive: true });
});

it("binds by filters, shows them, and says which binding an event takes", async () => {
  const bind = (...filters: string[]) =>
    runCli("agent", "bind", "helper", ...filters.flatMap((filter) => ["--filter", filter]), "--priority", "1");
  expect((await bind("input.text^=/a,/b", "!data.kind")).status).toBe(0);
  expect((await bind("data.kind=bug,task", "actor.actor_type!=bot")).status).toBe(0);
  expect(await bind('{"field": "data.kind", "op": "is", "values": ["task"]}')).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/can take the same events.*the agent helper[\s\S]*drydock agent unbind bnd_/),
  });
  expect(await out("agent", "bindings")).toMatch(
    /BINDING +AGENT +GETS\n(bnd_\w+ +helper +message\.received, global.*\n){3}/,
  );
  expect(await bind("=x")).toMatchObject({ status: 2, stderr: expect.stringContaining("can't be read") });
  expect(await bind("!data.kind=x")).toMatchObject({ status: 2, stderr: expect.stringContaining("can't be read") });
  const shown = await out("agent", "show", "helper");
  expect(shown).toContain("priority 1, input.text^=/a,/b, !data.kind");
  expect(shown).toContain("priority 1, data.kind=bug,task, actor.actor_type!=bot");
  const dryRun = (...argv: string[]) => out("agent", "dry-run", "hello", ...argv);
  expect(await dryRun("--fields", '{"data": {"kind": "bug"}}')).toContain('data.kind is "bug" or "task"');
  expect(await dryRun()).toMatch(/everywhere\) fits\..*not bnd_\w+: .*the event has "hello"/s);
  expect(await dryRun("--fields", '{"data": {"kind": "bug"}, "actor": {"actor_type": "bot"}}')).toContain(
    "everywhere) fits",
  );
  expect(await dryRun("--to", "helper")).toBe("helper: The event is sent to it, whatever the bindings say.\n");
  expect(await runCli("agent", "dry-run", "hello", "--to", "nobody")).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("There is no agent nobody"),
  });
});

it("changes what is named of an agent, and nothing else", async () => {
  expect(await out("agent", "edit", "helper", "--timeout", "7", "--grants", '{"history": false}')).toContain("changed");
  const { value } = await runJson("agent", "show", "helper");
  expect(value).toMatchObject({ timeoutSeconds: 7, grants: { history: false, models: ["a/b"], events: true } });
  await runCli(
    "agent",
    "edit",
    "helper",
    "--model",
    "c/d",
    "--config",
    '{"a": 1}',
    "--delivery",
    '{"streaming": false}',
  );
  expect((await runJson("agent", "show", "helper")).value).toMatchObject({
    ...{
      timeoutSeconds: 7,
      config: { a: 1 },
      grants: { models: ["c/d"] },
      delivery: { streaming: false, reply: true },
    },
  });
  for (const wrong of [
    ["--timeout", "soon"],
    ["--grants", "no"],
    ["--grants", '{"all": true}'],
    ["--runner", "x"],
  ])
    expect((await runCli("agent", "edit", "helper", ...wrong)).status).toBe(2);
  expect((await runCli("agent", "edit", "nobody", "--timeout", "7")).stderr).toContain("There is no agent nobody");
});

it("shows, pages and forgets conversations", async () => {
  await runCli("agent", "send", "again", "--to", "helper");
  await runCli("agent", "send", "a trial", "--synthetic");
  expect(await out("agent", "history")).toBe(
    "user: Hello there\nassistant: Hello there\nuser: again\nassistant: again\n",
  );
  const { value } = await runJson("agent", "history", "--limit", "1");
  expect(value).toMatchObject({ messages: [{ role: "assistant", text: "again" }] });
  expect(await out("agent", "history", "--limit", "3", "--cursor", String(value.cursor))).toMatch(
    /^user: Hello there\n/,
  );
  expect(await out("agent", "conversations")).toMatch(/terminal +2 .*synthetic\nterminal +4 /s);
  expect((await runCli("agent", "history", "--limit", "1000")).status).toBe(2);
  expect((await runCli("agent", "history", "none")).stderr).toContain("There is no conversation none.");
  expect(await out("agent", "forget")).toBe("4 messages are deleted.\n");
  expect((await runCli("agent", "history")).status).toBe(2);
});

it("refuses an empty message, and what is mistyped, before anything is recorded", async () => {
  for (const argv of [["send"], ["send", " "], ["send", "--to", "helper"]])
    expect(await runCli("agent", ...argv)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("There is no message"),
    });
  const wrong = async (...argv: string[]) => (await runCli("agent", "new", "wrong", ...argv)).stderr;
  const local = ["--runner", "local-agent"];
  expect(await wrong("--runner", "locl-agent")).toContain("Did you mean local-agent?");
  expect(await wrong(...local, "--model", "nonsense")).toContain('"nonsense" is not a valid model name');
  expect(await wrong(...local, "--tool", "excute_code")).toContain("Did you mean execute_code?");
  expect(await wrong(...local, "--config", '{"promt": "x"}')).toContain("Did you mean prompt?");
  expect(await wrong(...local, "--config", '{"history-tokens": "lots"}')).toContain("must be a whole number");
  expect(await wrong(...local, "--config", '{"knowledge-bases": ["nope"]}')).toContain("nope");
  expect((await runCli("agent", "edit", "helper", "--tool", "excute_code")).status).toBe(2);
  expect((await runCli("agent", "show", "wrong")).stderr).toContain("There is no agent wrong");
});

it("says that a model without a key can't answer, and what to do", async () => {
  await runCli("agent", "new", "keyless", "--runner", "local-agent", "--model", "openai/gpt-5");
  const { value } = await runJson("agent", "send", "Hello", "--to", "keyless", "--conversation", "keyless");
  expect(value).toMatchObject({
    error: { retryable: false, message: expect.stringMatching(/no key for openai\. .*export OPENAI_API_KEY/) },
  });
  const { stderr } = await runCli("agent", "send", "Hello", "--to", "keyless", "--conversation", "keyless");
  expect(stderr).toContain("runner.failed (local-agent.api_error) —");
  expect(stderr).not.toContain("Send the message again");
  await runCli("agent", "remove", "keyless");
  expect(await out("agent", "forget", "keyless")).toBe("2 messages are deleted.\n");
});

it("gives an agent that answers in three commands, and says what is missing where no model is set up", async () => {
  await using server = await startProviderServer();
  await runCli("agent", "new", "lonely", "--runner", "local-agent");
  const { status, stderr } = await runCli("agent", "send", "Hello", "--to", "lonely");
  expect(status).not.toBe(0);
  expect(stderr).toContain("The agent has no model to ask");
  expect(stderr).toContain("drydock agent edit lonely --model PROVIDER/NAME");
  await runCli("model", "add", "local/small", "--base-url", server.baseUrl);
  await runCli("agent", "edit", "lonely", "--model", "local/small");
  server.queue({ text: "Now I can" }, { text: "Ahoy" });
  expect(await out("agent", "send", "Hello", "--to", "lonely")).toBe("Now I can\n");

  await runCli("agent", "new", "mate", "--runner", "local-agent");
  await runCli("agent", "bind", "mate", "--scope", "conversation", "--value", "deck");
  expect(await out("agent", "send", "Hello", "--conversation", "deck")).toBe("Ahoy\n");
  expect((await runCli("agent", "new", "other", "--runner", "locl-agent")).status).toBe(2);
});
