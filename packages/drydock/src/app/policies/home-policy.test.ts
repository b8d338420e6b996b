import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PolicyQuestion } from "@drydock/protocol";
import { describe, expect, it } from "vitest";
import { createPolicies } from "./create-policies.ts";
import { createHomePolicy } from "./home-policy.ts";

function openHome(text?: string) {
  const home = mkdtempSync(join(tmpdir(), "drydock-home-policy-"));
  const file = join(home, "policy.yaml");
  if (text !== undefined) writeFileSync(file, text);
  return { file, policy: createHomePolicy({ home, policies: createPolicies(home), own: [home] }) };
}

const POLICY = `network:
  allow: ["api.example.org:443", "*.example.net:443"]
commands:
  deny: ["git push *"]
files:
  write: ["src/**"]
  hide: ["secrets/**"]
python:
  imports:
    block: [socket]
`;

describe("what the owner may ask of the policy", () => {
  const ask = (kind: PolicyQuestion["kind"], value: string) => openHome(POLICY).policy.ask({ kind, value });

  it.each([
    ["host", "https://api.example.org/v1", "allowed", "network.allow", "api.example.org:443"],
    ["host", "api.example.org:80", "denied", "network.allow", null],
    ["write", "src/deep/main.ts", "allowed", "files.write", "src/**"],
    ["write", "docs/a.md", "denied", "files.write", null],
    ["read", "secrets/key", "denied", "files.hide", "secrets/**"],
    ["write", "secrets/key", "denied", "files.hide", "secrets/**"],
    ["read", "docs/a.md", "allowed", "files.access", null],
    ["command", "ls && git push origin", "denied", "commands.deny", "git push *"],
    ["command", "git status | head", "allowed", "commands.allow", null],
    ["import", "socket", "denied", "python.imports.block", "socket"],
    ["import", "numpy.linalg", "allowed", "python.imports.allow", null],
  ] as const)("%s %s: %s by %s", async (kind, value, verdict, key, entry) => {
    const answer = await ask(kind, value);
    expect([answer.verdict, answer.key]).toEqual([verdict, key]);
    if (entry !== null) expect(answer.entry).toBe(entry);
    expect(answer.hint === null).toBe(verdict === "allowed");
  });

  it("names the file and the line of the rule", async () => {
    expect((await ask("import", "socket")).where).toMatch(/policy\.yaml:10$/);
    expect((await ask("host", "api.example.org")).where).toMatch(/policy\.yaml:2$/);
  });

  it("does not guess what the strict guard's own list holds", async () => {
    const { policy } = openHome();
    const question = { kind: "import", value: "numpy" } as const;
    expect(await policy.ask(question, { text: "python: { guard: strict }" })).toMatchObject({ verdict: "unsure" });
    expect(await policy.ask(question, { text: "python: { enabled: false }" })).toMatchObject({
      ...{ verdict: "denied", key: "python.enabled" },
    });
  });

  it("refuses what is no path below the workspace", async () => {
    for (const value of ["/etc/passwd", "../x"])
      await expect(ask("read", value)).rejects.toMatchObject({ code: "input.invalid", data: { field: "value" } });
  });
});

describe("the owner's policy as a text", () => {
  it("is checked with the line and the column of each problem, and what would hold", async () => {
    const { policy, file } = openHome();
    expect(await policy.read()).toEqual({ file, text: "", sha256: null });
    const bad = await policy.check("limits:\n  wallSeconds: no\nnetwrk: {}\n");
    expect(bad.ok).toBe(false);
    expect(bad.problems.map(({ line }) => line)).toEqual([2, 3]);
    expect(bad.problems[0]).toMatchObject({ column: 16, hint: expect.any(String) });
    expect((await policy.check("a: [")).problems).toHaveLength(1);
    const good = await policy.check("limits:\n  wallSeconds: 7\n");
    expect(good.rows.find(({ key }) => key === "limits.wallSeconds")).toMatchObject({ value: 7, source: "home" });
  });

  it("is saved as a whole, and never over what somebody else has written meanwhile", async () => {
    const { policy, file } = openHome();
    const saved = await policy.save(POLICY, { replaces: null });
    expect([readFileSync(file, "utf8"), (await policy.read()).sha256]).toEqual([POLICY, saved.sha256]);
    await expect(policy.save("version: 1\n", { replaces: null })).rejects.toMatchObject({ code: "policy.conflict" });
    await expect(policy.save("nonsense: 1\n", { replaces: saved.sha256 })).rejects.toMatchObject({
      code: "policy.invalid",
    });
    expect(readFileSync(file, "utf8")).toBe(POLICY);
    await policy.save("version: 1\n", { replaces: saved.sha256 });
    expect(readFileSync(file, "utf8")).toBe("version: 1\n");
  });
});
