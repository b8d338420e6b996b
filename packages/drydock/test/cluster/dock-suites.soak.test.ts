import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../../../..");

test("the suites of the host of agents, of knowledge bases and of sessions pass on PostgreSQL", () => {
  const { DRYDOCK_SOAK: _, ...environment } = process.env;
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(root, "node_modules/vitest/vitest.mjs"), "run", "--project", "docks-on-postgres"],
    {
      cwd: root,
      env: { ...environment, DRYDOCK_POSTGRES_SUITES: "all" },
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  expect(status, stdout).toBe(0);
});
