import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { openGoalDock } from "./goal-dock.ts";

const FILES = {
  "test_flag.py": "import os\n\n\ndef test_flag():\n    assert os.environ.get('TEST_FLAG') == '1'\n",
  "README.md": "one\n",
};

it("takes the record of an untouched tree again where a variable that tests see has changed since", async () => {
  const t = await openGoalDock(FILES);
  mkdirSync(t.home, { recursive: true });
  writeFileSync(join(t.home, "policy.yaml"), "environment: { allow: [TEST_FLAG] }\n");
  const tasks = [
    { id: "note", scope: ["README.md"], checks: [{ type: "command", cmd: "python3 -m pytest -q" }], attempts: 1 },
  ];
  const edit = { writes: [{ path: "README.md", content: "two\n" }] };
  const run = () => t.run([edit], { plan: { goal: "note", tasks } });
  expect(await run()).toMatchObject({ verdict: "failed" });
  vi.stubEnv("TEST_FLAG", "1");
  expect(await run()).toMatchObject({ verdict: "unproven" });
});
