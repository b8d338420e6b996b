import { execFileSync } from "node:child_process";
import { KERNEL_LIMITS } from "@drydock/protocol";
import { expect, it } from "vitest";
import { KERNEL_DIRECTORY } from "../../start-fork-server-early.ts";

const READ = `
import json
from contain.limits import LIMITS, REHEARSED, limit_by_signal
print(json.dumps({
    "rows": [[limit.name, limit.key, limit.signal] for limit in LIMITS],
    "by_signal": [[limit.signal, limit_by_signal(limit.signal, REHEARSED).signal] for limit in LIMITS if limit.signal],
    "nobody": limit_by_signal(None, REHEARSED) or limit_by_signal("SIGKILL", REHEARSED),
}))
`;

it("the kernel part and the host have the same limits, with the same names and signals", () => {
  const printed = execFileSync("python3", ["-c", READ], { cwd: KERNEL_DIRECTORY, encoding: "utf8" });
  const { rows, by_signal, nobody } = JSON.parse(printed);
  const expected = KERNEL_LIMITS.map(({ name, sentAs, reached }) => [
    name,
    sentAs,
    reached.signs?.signals?.[0] ?? null,
  ]);
  expect(rows.sort()).toEqual(expected.sort());
  expect(by_signal).toEqual(expect.arrayContaining([["SIGXCPU", "SIGXCPU"]]));
  for (const [sent, found] of by_signal) expect(found).toBe(sent);
  expect(nobody).toBeNull();
});
