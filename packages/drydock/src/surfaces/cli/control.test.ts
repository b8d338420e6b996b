import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Approval } from "@drydock/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDock } from "../../app/index.ts";
import { runCli, runJson, spawnCli } from "./testing/run-cli.ts";
import { runInTerminal } from "./testing/run-in-terminal.ts";
import { useHome } from "./testing/use-home.ts";

const home = useHome();
let source: string;

beforeAll(async () => {
  source = `${home()}-extension`;
  mkdirSync(join(source, "docs"), { recursive: true });
  writeFileSync(join(source, "docs/USAGE.md"), "# Say\n\nSays what it is told.\n");
  writeFileSync(
    join(source, "extension.yaml"),
    "id: say\nversion: 1.0.0\nname: Say\ndescription: Says it.\npermissions: { tools: [echo, 'false'] }\n",
  );
  writeFileSync(
    join(source, "commands.yaml"),
    `commands:
  - name: say
    description: Says it.
    actions:
      - { name: softly, description: Says it., runner: exec.echo, args: ["{{ text }}"], arguments: [{ name: text, required: true }] }
      - { name: loudly, description: Says it., runner: exec.echo, risk: high, args: ["{{ text }}"], arguments: [{ name: text, required: true }] }
      - { name: wrongly, description: Fails., runner: exec.false }
`,
  );
  const dock = await createDock({ home: home(), warm: 0 });
  await dock.extensions.add(source, { approve: async () => true });
  await dock.close();
});

afterAll(() => rmSync(source, { recursive: true, force: true }));

async function ask(text: string): Promise<Approval> {
  const { value } = await runJson("do", `/say loudly '${text}'`, "--wait", "--session", "asked", "--user", "ann");
  expect(value).toMatchObject({ type: "capability_waiting" });
  return value.approval as Approval;
}

describe("drydock approvals", () => {
  it("lists what waits, does it when it is approved, and keeps who, when and why", async () => {
    expect((await runCli("approvals", "list")).stdout).toBe("Nothing waits for an approval.\n");
    const approval = await ask("hello there");
    const listed = await runCli("approvals", "list");
    expect(listed.stdout).toMatch(/^ID +REQUESTED +BY +RISK +STATUS +WHAT\n/);
    expect(listed.stdout).toMatch(new RegExp(`\n${approval.id} .* ann +high +pending +/say loudly 'hello there'\n$`));
    expect((await runCli("approvals", "show", approval.id)).stdout).toContain(
      `approve it: drydock approvals approve ${approval.id}\n`,
    );
    const approved = await runCli("approvals", "approve", approval.id.slice(4), "--by", "bob", "--reason", "fine");
    expect(approved).toMatchObject({ status: 0, stdout: "hello there\n" });
    expect((await runJson("approvals", "show", approval.id)).value).toMatchObject({
      ...{ status: "approved", decidedBy: "bob", reason: "fine", decidedAt: expect.any(String) },
    });
    const again = await runCli("approvals", "approve", approval.id);
    expect(again.status).toBe(2);
    expect(again.stderr).toMatch(/was approved by bob already/);
    expect((await runCli("approvals", "list")).stdout).toBe("Nothing waits for an approval.\n");
    const events = (await runJson("runs", "events", approval.runId)).value as unknown as { type: string }[];
    expect(JSON.stringify(events)).toContain("approval.decided");
    expect((await runCli("audit", "verify")).status).toBe(0);
  });

  it("denies, and nothing was done", async () => {
    const approval = await ask("never");
    const denied = await runCli("approvals", "deny", approval.id, "--reason", "not on a Friday");
    expect(denied.status).toBe(0);
    expect(denied.stdout).toMatch(/\nreason +not on a Friday\n/);
    expect((await runJson("runs", "show", approval.runId)).value).toMatchObject({
      status: "failed",
      errorCode: "policy.approval_denied",
    });
    expect((await runJson("approvals", "list", "--status", "denied")).value).toMatchObject({
      approvals: [{ id: approval.id }],
    });
    expect((await runCli("audit", "verify")).status).toBe(0);
  });

  it("says so where there is no such approval", async () => {
    const missing = await runCli("approvals", "deny", "apr_nothing");
    expect(missing.status).toBe(2);
    expect(missing.stderr).toContain("approval.not_found");
  });

  it("of two processes that decide at once, one does it and the other is told", async () => {
    const approval = await ask("once");
    const both = await Promise.all([0, 1].map(() => spawnCli(home(), ["approvals", "approve", approval.id]).finished));
    expect(both.map(({ status }) => status).toSorted()).toEqual([0, 2]);
    expect(both.map(({ stdout }) => stdout).toSorted()).toEqual(["", "once\n"]);
  });
});

describe("drydock audit list", () => {
  it("shows each call: when, what, by whom, how it ended and how long it took", async () => {
    await runCli("do", "/say softly one", "--session", "listed", "--user", "carl");
    expect((await runCli("do", "/say wrongly", "--session", "listed")).status).toBe(1);
    const { stdout } = await runCli("audit", "list", "--session", "listed");
    const [head, failed, done] = stdout.split("\n");
    expect(head).toMatch(/^WHEN +EXTENSION +CALL +USER +SESSION +OK +MS +RUN +ERROR$/);
    expect(failed).toMatch(/say +\/say wrongly +owner +listed +✗ +\d+ +run_\w+ +code\.exit$/);
    expect(done).toMatch(/say +\/say softly +carl +listed +✓ +\d+ +run_\w+$/);
    expect((await runJson("audit", "list", "--user", "carl")).value).toMatchObject({
      runs: [{ extension: "say", command: "say", action: "softly", status: "succeeded", session: "listed" }],
      cursor: null,
    });
    expect((await runCli("audit", "list", "--extension", "other")).stdout).toBe("No calls.\n");
    const page = await runCli("audit", "list", "--extension", "say", "--limit", "1");
    expect(page.stderr).toMatch(/^more: drydock audit list --extension say --limit 1 --cursor \S+\n$/);
  });
});

describe("drydock responses", () => {
  it("lists, shows and clears what a session was answered", async () => {
    await runCli("do", "/say softly first", "--session", "kept");
    await runCli("do", "/say softly second", "--session", "kept");
    const listed = await runCli("responses", "list", "--session", "kept");
    expect(listed.stdout).toMatch(/res_\w+ .* \/say softly\nres_\w+ .*\n2 responses, 13 B\n$/);
    expect((await runCli("responses", "show", "--session", "kept")).stdout).toBe("second\n");
    const { value } = await runJson("responses", "list", "--session", "kept");
    const [, first] = value.responses as { id: string }[];
    expect((await runCli("responses", "show", first?.id ?? "")).stdout).toBe("first\n");
    expect((await runCli("responses", "clear", "--session", "kept")).stdout).toBe("2 removed.\n");
    const none = await runCli("responses", "show", "--session", "kept");
    expect(none.status).toBe(2);
    expect(none.stderr).toContain("has no response");
  });
});

describe("drydock secret", () => {
  it("takes a value from standard input, and shows names only", async () => {
    const set = await spawnCli(home(), ["secret", "set", "PIPED"], "piped-secret-value\n").finished;
    expect(set).toEqual({ status: 0, stdout: "PIPED is set.\n", stderr: "" });
    expect(statSync(join(home(), "secrets.json")).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(join(home(), "secrets.json"), "utf8")).secrets.PIPED).toBe("piped-secret-value");
    expect((await runCli("secret", "list")).stdout).toBe("PIPED\n");
    expect((await runCli("secret", "remove", "PIPED")).stdout).toBe("PIPED is removed.\n");
    expect((await runCli("secret", "list")).stdout).toBe("No secrets.\n");
  });

  it("asks a person without showing what is typed", async () => {
    const { status, screen } = await runInTerminal(home(), ["secret", "set", "TYPED"], {
      ...{ rows: 20, columns: 80 },
      keys: [{ after: "Value of TYPED", type: "typed-secret-value\r" }],
    });
    expect(status).toBe(0);
    expect(screen).toContain("TYPED is set.");
    expect(screen).not.toContain("typed-secret");
    expect(JSON.parse(readFileSync(join(home(), "secrets.json"), "utf8")).secrets.TYPED).toBe("typed-secret-value");
  });

  it("takes no value as an argument, and repeats none that was given as one", async () => {
    for (const words of [["NAME", "argument-value"], ["NAME=argument-value"]]) {
      const { status, stdout, stderr } = await runCli("secret", "set", ...words);
      expect(status).toBe(2);
      expect(stdout + stderr).not.toContain("argument-value");
    }
  });
});
