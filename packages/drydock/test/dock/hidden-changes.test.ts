import { describe, expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";

const test = openTestDock();

/** What a result tells of a run, without what names the run or the tree it began with. */
async function tell(code: string, files: Record<string, string>) {
  const { changes, error, notes, artifacts, ok } = await test.bash(code, { workspace: test.makeWorkspace(files) });
  return { ok, changes, error, notes, artifacts: artifacts.map(({ name, size }) => ({ name, size })) };
}

describe("a result does not tell whether a hidden file exists", () => {
  it.each([
    ["another content", "echo x > .env"],
    ["the very content, guessed", "umask 022; printf A=1 > .env"],
    ["a link", "ln -s a.txt .env"],
    ["a directory", "mkdir .env"],
    ["a file below a hidden directory", "mkdir .ssh; echo x > .ssh/config"],
    ["an empty hidden directory", "mkdir .ssh"],
    ["a hidden directory as a file", "echo x > .ssh"],
  ])("when it writes %s", async (_what, code) => {
    const present = await tell(code, { "a.txt": "a", ".env": "A=1", ".ssh/config": "c", ".ssh/key-of-mine": "k" });
    const absent = await tell(code, { "a.txt": "a" });
    expect(present).toEqual(absent);
    expect(present.error?.code).toBe("policy.path_denied");
    expect(JSON.stringify(present)).not.toContain("key-of-mine");
  });
});
