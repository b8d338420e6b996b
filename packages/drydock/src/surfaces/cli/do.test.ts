import { beforeAll, describe, expect, it } from "vitest";
import { readDecision } from "../terminal/decide-approval.ts";
import { readDoWords } from "./capability/read-do-words.ts";
import { installParrot } from "./testing/install-extension.ts";
import { runCli, runJson, spawnCli } from "./testing/run-cli.ts";
import { runInTerminal } from "./testing/run-in-terminal.ts";
import { useHome } from "./testing/use-home.ts";

const home = useHome();
beforeAll(() => installParrot(home()));

describe("drydock do", () => {
  it("prints what the tool says, as it is", async () => {
    expect(await runCli("do", "/parrot say 'a  b' c")).toEqual({ status: 0, stdout: "a  b c\n", stderr: "" });
    expect(await runCli("do", "/polly", "a  b", "--tone=low", "|", "/parrot")).toEqual({
      ...{ status: 0, stdout: "a  b | /parrot (low)\n", stderr: "" },
    });
  });

  it("takes words after -- as text, and refuses an option that a value would be", async () => {
    expect((await runCli("do", "--yes", "/parrot", "shout", "--", "-x")).stdout).toBe("-x\n");
    const { status, stderr } = await runCli("do", "/parrot", "say", "--", "-x");
    expect(status).toBe(2);
    expect(stderr).toContain("begins with a dash");
  });

  it("gives one outcome as JSON, with its own options on either side of a quoted line", async () => {
    const { status, value } = await runJson("do", "--user", "ann", "/parrot say hi", "--session", "s1");
    expect(status).toBe(0);
    expect(value).toMatchObject({
      ...{ type: "capability_result", success: true, extension: "parrot", command: "parrot", action: "say" },
      ...{ session: "s1", output: "hi\n", truncated: false, runId: expect.stringMatching(/^run_/) },
    });
    const { value: next } = await runJson("do", "/parrot say '<{{ last.text }}>'", "--session", "s1");
    expect(next.output).toBe("<hi\n>\n");
    const { status: none, value: refused } = await runJson("do", "/parrot say {{ last.text }}", "--session", "s2");
    expect([none, refused.type, refused.runId]).toEqual([2, "capability_error", null]);
  });

  it("pipes within one line, and only there", async () => {
    const { stdout } = await runCli("do", "/parrot say one | /parrot say '{{ last.text }}' two");
    expect(stdout).toBe("one\n two\n");
  });

  it("ends with the status of what went wrong, and says where and what to do", async () => {
    const failed = await runCli("do", "/parrot fail");
    expect(failed).toMatchObject({ status: 1, stdout: "begun\n" });
    expect(failed.stderr).toMatch(/^why\n✗ code\.exit — /);
    const unknown = await runCli("do", "/parrto say x");
    expect(unknown.status).toBe(2);
    expect(unknown.stderr).toContain("Did you mean /parrot?");
    const wrong = await runCli("do", "/parrot say x --tone lwo");
    expect(wrong.stderr).toContain("tone can't be lwo. (line 1, column 15)");
    expect(wrong.stderr).toContain("Did you mean low?");
    const open = await runCli("do", "/parrot say 'x");
    expect(open.stderr).toContain("never closed. (line 1, column 13)");
  });

  it("lets nobody drive a terminal by what a tool complains of", async () => {
    const { stderr } = await runCli("do", String.raw`/jq data 'error("\u001b]0;evil\u0007")' --data 1`);
    expect(stderr).toContain(String.raw`\x1b]0;evil\x07`);
    expect(stderr).not.toContain("\u001b]");
  });

  it("tells of an option at the wrong place", async () => {
    expect((await runCli("do", "/parrot say x", "more")).stderr).toContain("more is too much");
    expect((await runCli("do", "/parrot say x", "--nope")).stderr).toContain("--nope is too much");
    expect((await runCli("do", "/parrot say x", "--session")).stderr).toContain("argument missing");
    expect((await runCli("do", "/parrot say x", "--", "y")).stderr).toContain("in quotes");
  });

  it("helps: with itself, with all commands, with one, with an action", async () => {
    expect((await runCli("do", "--help")).stdout).toContain("drydock do '/curl --help'");
    for (const words of [["do"], ["do", "/help"]])
      expect((await runCli(...words)).stdout).toMatch(/^ {2}\/parrot, \/polly {2,}Says things again\.$/m);
    expect((await runCli("do", "/parrot", "--help")).stdout).toContain("/parrot shout TEXT");
    expect((await runCli("do", "/parrot say --help")).stdout).toContain("--tone TEXT  How to say it. (loud | low)");
  });

  it("denies what needs an approval where nobody can be asked, and does it with --yes", async () => {
    const denied = await runCli("do", "/parrot shout hey");
    expect(denied).toMatchObject({ status: 3, stdout: "" });
    expect(denied.stderr).toContain("policy.approval_denied");
    expect(await runCli("do", "--yes", "/parrot shout hey")).toMatchObject({ status: 0, stdout: "hey\n" });
  });

  it("lets it wait with --wait, until somebody agrees", async () => {
    const { status, value } = await runJson("do", "/parrot shout later", "--wait");
    expect([status, value.type]).toEqual([0, "capability_waiting"]);
    const { id } = value.approval as { id: string };
    const waiting = await runCli("do", "--wait", "/parrot shout again");
    expect(waiting.stderr).toMatch(/drydock approvals approve apr_\w+/);
    const approved = await spawnCli(home(), ["approvals", "approve", id]).finished;
    expect(approved).toMatchObject({ status: 0, stdout: "later\n" });
  });

  it("asks at a terminal, and keeps why", async () => {
    const size = { rows: 30, columns: 100 };
    const keys = (type: string) => [{ after: "[y/N", type }];
    const yes = await runInTerminal(home(), ["do", "/parrot shout hey"], { ...size, keys: keys("y, it is mine\r") });
    expect(yes.status).toBe(0);
    expect(yes.screen).toContain("/parrot shout hey");
    expect(yes.screen).toContain("its risk is");
    expect(yes.screen).toMatch(/\nhey\r?\n/);
    const no = await runInTerminal(home(), ["do", "/parrot shout hey"], { ...size, keys: keys("no: too early\r") });
    expect(no.status).toBe(3);
    const { stdout } = await runCli("approvals", "list", "--status", "all", "--json");
    expect(stdout).toContain("it is mine");
    expect(stdout).toContain("too early");
  });

  it("shows colours of a tool on a terminal, and nothing else that a terminal obeys", async () => {
    const { screen } = await runInTerminal(home(), ["do", "/parrot escape"], { rows: 30, columns: 100 });
    expect(screen).toContain("\u001b[31mred");
    expect(screen).not.toContain("\u001b]0;owned");
  });

  it("is cancelled by Ctrl-C", async () => {
    const child = spawnCli(home(), ["do", "/parrot wait"]);
    await child.printed("begun");
    child.process.kill("SIGINT");
    const { status, stderr } = await child.finished;
    expect(status).toBe(130);
    expect(stderr).toContain("run.cancelled");
  });
});

describe("words of drydock do", () => {
  it.each<[words: string[], trailing: string[] | null, line: string, rest: string[]]>([
    [[], null, "/help", []],
    [["/a"], null, "/a", []],
    [["/a b", "--json"], null, "/a b", ["--json"]],
    [["/a|/b"], null, "/a|/b", []],
    [["/a", "b c", "it's", "|", "--x=1", ""], null, `/a 'b c' 'it'\\''s' '|' --x=1 ''`, []],
    [["/a", "{{ last.text }}"], ["-x"], "/a '{{ last.text }}' -- -x", []],
  ])("%j %j", (words, trailing, line, rest) => {
    expect(readDoWords(words, trailing)).toEqual({ line, rest });
  });
});

describe("an answer", () => {
  it.each<[string | null, object]>([
    ["y", { approved: true }],
    ["Yes, it is mine", { approved: true, reason: "it is mine" }],
    ["", { approved: false }],
    [null, { approved: false }],
    ["n", { approved: false }],
    ["no: later", { approved: false, reason: "later" }],
    ["yesterday", { approved: false, reason: "yesterday" }],
    ["ja", { approved: false, reason: "ja" }],
  ])("%j", (answer, decision) => {
    expect(readDecision(answer)).toEqual(decision);
  });
});
