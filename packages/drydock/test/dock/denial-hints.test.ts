import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";

const test = openTestDock({
  policy: [
    "version: 1",
    "files:",
    "  hide: [secrets/**]",
    "  protect: [docs/**]",
    "commands:",
    '  deny: ["git push *"]',
    "python:",
    "  imports:",
    "    block: [sqlite3]",
    "",
  ].join("\n"),
});
const home = join(test.home, "policy.yaml");

function makeNarrowed(policy: string, files: Record<string, string> = { "a.txt": "a" }): string {
  const workspace = test.makeWorkspace(files);
  mkdirSync(join(workspace, ".drydock"));
  writeFileSync(join(workspace, ".drydock/policy.yaml"), policy);
  return workspace;
}

const hintOf = async (code: string, workspace: string) => {
  const { error } = await test.bash(code, { workspace });
  expect(error?.code).toBe("policy.path_denied");
  return error?.hint ?? "";
};

describe("the hint for a write that the policy does not allow", () => {
  it("names the default rule that hides the path, and not the list of what may be written", async () => {
    const hint = await hintOf("echo x > .env", test.makeWorkspace({ "a.txt": "a" }));
    expect(hint).toContain("The policy hides .env: write under another name.");
    expect(hint).toContain('add "!**/.env" to files.hide in the home policy');
    expect(hint).not.toContain("policy allow");
  });

  it("names file and line of the owner's own rule, and what removes it", async () => {
    const workspace = test.makeWorkspace({ "a.txt": "a" });
    expect(await hintOf("mkdir secrets; echo x > secrets/a", workspace)).toContain(
      `The rule is \`secrets/**\` in files.hide (${home}:3). Only the owner can lift it: remove the entry`,
    );
    expect(await hintOf("mkdir docs; echo x > docs/a", workspace)).toContain(
      `The rule is \`docs/**\` in files.protect (${home}:4). \`drydock policy allow write 'docs/**'\` removes it.`,
    );
  });

  it("names the workspace's own policy where that narrows", async () => {
    const workspace = makeNarrowed("files:\n  write: [src/**]\n  hide: ['*.log']\n");
    const file = join(workspace, ".drydock/policy.yaml");
    const narrowed = await hintOf("echo x > b.txt", workspace);
    expect(narrowed).toContain(`The workspace's own policy sets it: change ${file}:2.`);
    expect(narrowed).not.toContain("policy allow write");
    expect(await hintOf("echo x > a.log", workspace)).toContain(`remove the entry from ${file}:3`);
  });
});

describe("the hint for what the owner denied", () => {
  it.each([
    ["a command in bash code", "bash", "true\ngit push origin main"],
    ["a command with its path", "bash", "/usr/bin/git push origin"],
  ] as const)("names the rule of %s, its file and what removes it", async (_what, language, code) => {
    const { error } = await test[language](code);
    expect(error).toMatchObject({ code: "policy.command_denied", rule: "git push *" });
    expect(error?.hint).toBe(
      `The policy denies it. The rule is \`git push *\` in commands.deny (${home}:6). \`drydock policy allow command 'git push *'\` removes it.`,
    );
  });

  it("names the rule for an import", async () => {
    const { error } = await test.python("import sqlite3");
    expect(error?.code).toBe("policy.import_denied");
    expect(error?.hint).toContain(`The rule is \`sqlite3\` in python.imports.block (${home}:9).`);
    expect(error?.hint).toContain("`drydock policy allow import sqlite3` removes it.");
  });

  it("names the workspace's policy for a command that it does not list", async () => {
    const workspace = makeNarrowed("commands: { allow: [ls] }\n");
    const { error } = await test.bash("make", { workspace });
    expect(error?.hint).toContain(
      `The workspace's own policy sets commands.allow (${join(workspace, ".drydock/policy.yaml")}:1): add it there,`,
    );
  });
});
