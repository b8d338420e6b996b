import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const PROGRAM = join(
  dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/package.json")),
  "dist/index.js",
);

/**
 * Runs the official suite's server scenarios. `exceptions` are expected to fail: the suite itself complains about one
 * that passes, so that the list stays true.
 */
export async function runConformance(
  url: string,
  exceptions: readonly string[],
  scenario?: string,
): Promise<{ status: number | null; report: string }> {
  const directory = await mkdtemp(join(tmpdir(), "drydock-conformance-"));
  try {
    const baseline = join(directory, "baseline.yml");
    await writeFile(baseline, JSON.stringify({ server: exceptions }));
    const which = scenario === undefined ? ["--suite", "all"] : ["--scenario", scenario];
    const words = [PROGRAM, "server", "--url", url, ...which, "--expected-failures", baseline];
    const child = spawn(process.execPath, [...words, "-o", directory], { stdio: ["ignore", "pipe", "pipe"] });
    let report = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        report += text;
      });
    }
    const [status] = (await once(child, "close")) as [number | null];
    return { status, report };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
