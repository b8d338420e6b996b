import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { alterContent, alterEvent } from "../testing/alter-record.ts";
import { describeExtension, openExtensionDock } from "../testing/extension-dock.ts";

const script = (name: string, more = "") =>
  `      - name: ${name}\n        description: For tests.\n        runner: python.script\n        script: scripts/${name}.py\n${more}`;
const words = `        arguments: [{ name: words, repeat: true }]\n        args: ["{{ words }}"]\n`;
const extension = {
  ...describeExtension(
    "again",
    "{ paths: { read: ['**'], write: ['**'] } }",
    [
      script("say", words),
      script("count"),
      script("upper", `        stdin: "{{ input }}"\n`),
      script("fails"),
      script("risky", "        risk: high\n"),
      "      - name: own\n        description: For tests.\n        runner: test.own\n",
    ].join(""),
  ),
  "scripts/say.py": "import sys\nprint(' '.join(sys.argv[1:]))\n",
  "scripts/count.py":
    "import os\nn = int(open('n').read()) if os.path.exists('n') else 0\nopen('n', 'w').write(str(n + 1))\nprint(n)\n",
  "scripts/upper.py": "import sys\nprint(sys.stdin.read().upper())\n",
  "scripts/fails.py": "import sys\nprint('half')\nsys.exit(4)\n",
  "scripts/risky.py": "print('done')\n",
};
const dock = openExtensionDock({ extensions: [extension] });
const replay = (id: string, options = {}) => dock.dock.runs.replay(id, options);
const runIdOf = async (line: string, context = {}) => String((await dock.call(line, context)).runId);
const workOf = (session: string) => join(dock.home, "extensions", "work", "again", session);

describe("a replay of a slash command", () => {
  it.each([
    ["a script", "/again say a 'b c'"],
    ["a failure", "/again fails"],
    ["a file in the work directory", "/again count"],
    ["values that are too long for an event", `/again say ${"long".repeat(2000)}`],
  ])("comes out the same: %s", async (_, line) => {
    const runId = await runIdOf(line, { session: "first" });
    const again = await replay(runId);
    expect(again.divergences).toEqual([]);
    expect(again).toMatchObject({ ok: true, replayOf: runId });
    expect(await replay(again.runId ?? "")).toMatchObject({ ok: true });
  });

  it("leaves the conversation's response and the work directory alone, and counts for no quota", async () => {
    const session = "alone";
    await dock.call("/again count", { session });
    const runId = await runIdOf("/again count", { session });
    const last = await dock.dock.extensions.responses.last(session);
    const [stamp, files] = [statSync(workOf(session)).mtimeMs, readdirSync(workOf(session))];
    const again = await replay(runId);
    expect(again.divergences).toEqual([]);
    expect(await dock.dock.extensions.responses.last(session)).toEqual(last);
    expect([statSync(workOf(session)).mtimeMs, readdirSync(workOf(session))]).toEqual([stamp, files]);
    expect(existsSync(workOf(`replay:${runId}`))).toBe(false);
    const { runs } = await dock.dock.extensions.history({ session });
    expect(runs).toHaveLength(2);
  });

  it("has the response that was piped in", async () => {
    const outcome = await dock.call("/again say piped | /again upper", { session: "pipe" });
    const runId = String(outcome.runId);
    await dock.call("/again say other", { session: "pipe" });
    expect((await replay(runId)).divergences).toEqual([]);
    const capability = (await dock.dock.runs.events(runId))[0]?.data.capability as { inputSha256: string };
    alterContent(dock.home, capability.inputSha256);
    expect((await replay(runId)).divergences[0]).toMatchObject({ cause: "record" });
  });

  it("works on a workspace, and asks nobody about a risky call", async () => {
    const workspace = dock.makeDirectory({ n: "4" });
    const runId = await runIdOf("/again count", { workspace });
    expect((await replay(runId)).divergences).toEqual([]);
    writeFileSync(join(workspace, "n"), "9");
    expect((await replay(runId)).divergences[0]).toMatchObject({ step: "workspace", cause: "workspace" });
    const risky = await runIdOf("/again risky", { approval: async () => ({ approved: true }) });
    expect(await replay(risky)).toMatchObject({ ok: true });
    const denied = await runIdOf("/again risky");
    await expect(replay(denied)).rejects.toMatchObject({ code: "input.invalid" });
    expect(await dock.dock.extensions.approvals.list({ status: "pending" })).toEqual([]);
  });

  it("names what was altered first, and an extension that is another one", async () => {
    const runId = await runIdOf("/again say word");
    alterEvent(dock.home, runId, "run.created", '["word"]', '["ward"]');
    const { divergences } = await replay(runId);
    expect(divergences[0]).toMatchObject({ step: "run.created", cause: "record" });
    expect(divergences.slice(1).map(({ what, follows }) => [what, follows])).toContainEqual(["response", true]);
    const other = await runIdOf("/again say more");
    const directory = dock.makeDirectory({
      ...extension,
      "docs/USAGE.md": "# Usage\n\nAnother one.\n",
      "scripts/say.py": "print('another')\n",
    });
    await dock.dock.extensions.update("again", { source: directory, approve: async () => true });
    const changed = await replay(other);
    expect(changed).toMatchObject({ ok: false, runId: null });
    expect(changed.divergences).toMatchObject([{ step: "extension", cause: "extension" }]);
  });

  it("does not call a runner that is a function of a program", async () => {
    let calls = 0;
    dock.dock.extensions.registerRunner("test.own", async () => {
      calls += 1;
      return {
        ok: true,
        content: Buffer.from("own"),
        mime: "text/plain",
        error: null,
        artifacts: [],
        metadata: {},
        notes: [],
      };
    });
    const runId = await runIdOf("/again own");
    expect(calls).toBe(1);
    await expect(replay(runId)).rejects.toMatchObject({ code: "input.invalid", message: /function of a program/ });
    expect(calls).toBe(1);
  });
});
