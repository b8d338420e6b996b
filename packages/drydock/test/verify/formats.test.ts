import { join } from "node:path";
import type { Check } from "@drydock/protocol";
import { describe, expect, it } from "vitest";
import { validateJunit } from "../../src/engine/records/testing/validate-junit.ts";
import { validateSarif } from "../../src/engine/records/testing/validate-sarif.ts";
import { openTestDock } from "../testing/test-dock.ts";

const test = openTestDock();
const BYTES = "import sys, os; os.write(1, bytes(range(256)) * 4096 + ']]></failure>'.encode()); sys.exit(3)";
const checks: Check[] = [
  { type: "command", cmd: "python3 loud.py", name: "prints every byte, a megabyte of them ]]>" },
  { type: "file_contains", path: "loud.py", needle: "not there" },
  { type: "file_exists", path: "loud.py" },
];

describe("a verdict in the formats of other tools", () => {
  it("is valid JUnit XML and SARIF, whatever bytes a check printed", async () => {
    const workspace = test.makeWorkspace({ "loud.py": BYTES });
    const { runId, verdict } = await test.dock.verify({ checks, workspace });
    expect(verdict).toBe("failed");
    const junit = await test.dock.runs.report(runId, { format: "junit" });
    expect(await validateJunit(junit)).toEqual([]);
    expect(junit).toContain('tests="3" failures="2" errors="0"');
    const sarif = await test.dock.runs.report(runId, { format: "sarif" });
    expect(await validateSarif(sarif)).toEqual([]);
    expect(JSON.parse(sarif).runs[0].results).toHaveLength(2);
    expect(await test.dock.runs.report(runId, { format: "html" })).toContain("1 of 3 passed");
  });

  it("names files from the root, unless they lie outside of it", async () => {
    const workspace = test.makeWorkspace({ "loud.py": BYTES });
    const checksFile = join(workspace, "ci", "checks.yaml");
    const { runId } = await test.dock.verify({ checks, checksFile, workspace });
    const uris = async (root?: string) => {
      const { runs } = JSON.parse(await test.dock.runs.report(runId, { format: "sarif", root }));
      return runs[0].results.map(
        ({ locations }: { locations?: { physicalLocation: { artifactLocation: { uri: string } } }[] }) =>
          locations?.[0]?.physicalLocation.artifactLocation.uri,
      );
    };
    const name = workspace.split("/").at(-1);
    expect(await uris()).toEqual(["ci/checks.yaml", "loud.py"]);
    expect(await uris(join(workspace, ".."))).toEqual([`${name}/ci/checks.yaml`, `${name}/loud.py`]);
    expect(await uris(join(workspace, "elsewhere"))).toEqual([undefined, "loud.py"]);
  });

  it("names the workspace's own file for checks that are written there", async () => {
    const workspace = test.makeWorkspace({ ".drydock/checks.yaml": 'checks: ["false"]\n' });
    const { runId } = await test.dock.verify({ workspace });
    const { runs } = JSON.parse(await test.dock.runs.report(runId, { format: "sarif" }));
    expect(runs[0].results[0].locations).toEqual([
      { physicalLocation: { artifactLocation: { uri: ".drydock/checks.yaml" } } },
    ]);
  });

  it("refuses a format that does not exist", async () => {
    const refused = test.dock.runs.report("run_none", { format: "pdf" as "html" });
    await expect(refused).rejects.toMatchObject({ code: "input.invalid", hint: "There are html, junit, sarif." });
  });
});
