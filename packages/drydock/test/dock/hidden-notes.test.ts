import { describe, expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";

const test = openTestDock();
const NOTE = "the policy hides .env from this run (files.hide)";
const files = { "a.txt": "a", ".env": "A=1" };

describe("a hidden file", () => {
  it.each([
    ["Python that goes on without it", "python", "try: open('.env')\nexcept OSError: pass"],
    ["Python that asks whether it is there", "python", "import os\nos.path.exists('./.env')"],
    ["Node that fails", "node", "require('fs').readFileSync('.env')"],
    ["a command", "bash", "cat .env; true"],
    ["a program that the command starts", "bash", 'python3 -c \'open("/work/" + ".env")\'; true'],
  ] as const)("is noted when it is opened by %s", async (_who, language, code) => {
    const run = await test[language](code, { workspace: test.makeWorkspace(files) });
    expect(run.notes).toEqual([NOTE]);
  });

  it("is noted alike where the workspace has none: code does not learn which", async () => {
    const run = await test.python("open('.env')", { workspace: test.makeWorkspace({ "a.txt": "a" }) });
    expect(run.notes).toEqual([NOTE]);
  });

  it.each([
    ["other files that are missing", "open('b.txt')"],
    ["names that only look alike", "row = {'id_user': 1}\nrow['id_user']"],
    ["files that are there", "open('a.txt').read()"],
  ])("is not noted for %s", async (_what, code) => {
    expect((await test.python(code, { workspace: test.makeWorkspace(files) })).notes).toEqual([]);
  });
});
