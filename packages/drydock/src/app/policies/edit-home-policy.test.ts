import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { loadPolicyEdits, loadPolicyFile, resolvePolicy } from "../../policy/index.ts";
import { editHomePolicy } from "./edit-home-policy.ts";

const home = mkdtempSync(join(tmpdir(), "drydock-edits-"));
const file = join(home, "policy.yaml");
afterAll(() => rmSync(home, { recursive: true, force: true }));

const readAllowed = async () => resolvePolicy({ home: await loadPolicyFile(file) }).effective.network.allow;

test("edits at the same moment all last", async () => {
  const { allowInPolicyFile, setInPolicyFile } = await loadPolicyEdits();
  const hosts = Array.from({ length: 8 }, (_, number) => `h${number}.org:443`);
  await Promise.all([
    ...hosts.map((host) => editHomePolicy(home, (path) => allowInPolicyFile(path, "network", [host]))),
    editHomePolicy(home, (path) => setInPolicyFile(path, "limits.wallSeconds", "7")),
  ]);
  expect([...(await readAllowed())].sort()).toEqual(hosts);
  expect(resolvePolicy({ home: await loadPolicyFile(file) }).effective.limits.wallSeconds).toBe(7);
});
