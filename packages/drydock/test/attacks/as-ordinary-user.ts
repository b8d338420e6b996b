import { spawn } from "node:child_process";
import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";

/** Nobody's: no account, no group, and not the number by which the kernel names users that a namespace does not know. */
const UNPRIVILEGED = 65533;
const here = dirname(fileURLToPath(import.meta.url));
const repository = resolve(here, "../../../..");

/**
 * All attacks once more, by a user without any privilege: the sandbox then has neither control groups nor mapped users.
 * The repository may lie where that user can't go (below /root, say), so it is seen through a mount of its own.
 */
const SCRIPT = `
set -e
mount --bind "$1" "$2/repository"
cd "$2/repository"
user="$3" home="$2/user"
shift 3
exec setpriv --reuid "$user" --regid "$user" --clear-groups --inh-caps=-all env -i HOME="$home" TMPDIR="$home" PATH=/usr/local/bin:/usr/bin:/bin NO_COLOR=1 \
  node_modules/.bin/node node_modules/vitest/vitest.mjs run --configLoader native --cache=false --maxWorkers=1 --no-isolate --reporter=json "$@"
`;

/** Those of extensions that are stopped by the kernel. */
const OTHERS = ["attacks-files", "attacks-answers"].map((name) => `packages/drydock/test/extensions/${name}.test.ts`);

interface Report {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { assertionResults: { status: string; fullName: string; failureMessages: string[] }[] }[];
}

/** Runs them all, but for those in files of these names. Processes of one worker share what they have loaded. */
export async function attackAsOrdinaryUser(signal: AbortSignal, without: readonly string[] = []): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), "drydock-user-"));
  try {
    for (const name of ["repository", "user"]) mkdirSync(join(place, name));
    chownSync(place, UNPRIVILEGED, UNPRIVILEGED);
    chownSync(join(place, "user"), UNPRIVILEGED, UNPRIVILEGED);
    const files = readdirSync(here).filter((name) => name.endsWith(".test.ts") && !name.includes(".soak."));
    expect(without.filter((name) => !files.includes(`${name}.test.ts`))).toEqual([]);
    const chosen = files.filter((name) => ![...without, "as-ordinary-user"].includes(name.replace(".test.ts", "")));
    const attacks = [...chosen.map((name) => `packages/drydock/test/attacks/${name}`), ...OTHERS];
    const args = ["--mount", "--propagation", "private", "sh", "-c", SCRIPT, "sh", repository, place];
    const { stdout, stderr } = await run("unshare", [...args, String(UNPRIVILEGED), ...attacks], signal);
    const start = stdout.indexOf("{");
    expect(start, `no report: ${stderr.slice(-4000)}${stdout.slice(-2000)}`).toBeGreaterThanOrEqual(0);
    const report = JSON.parse(stdout.slice(start)) as Report;
    const failed = report.testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status === "failed")
      .map(({ fullName, failureMessages }) => `${fullName}\n${failureMessages.join("\n").slice(0, 1000)}`);
    expect(failed).toEqual([]);
    expect(report.numFailedTests).toBe(0);
    expect(report.numPassedTests).toBeGreaterThan(100);
    expect(report.testResults).toHaveLength(attacks.length);
  } finally {
    // Empty, as the mount was another namespace's: were it not, this would fail before anything is removed.
    rmdirSync(join(place, "repository"));
    rmSync(place, { recursive: true, force: true });
  }
}

/** Ends with the test: what runs out of time must not go on beside the tests after it. */
function run(command: string, args: string[], signal: AbortSignal): Promise<{ stdout: string; stderr: string }> {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], signal });
  const texts = { stdout: "", stderr: "" };
  child.stdout.on("data", (data: Buffer) => {
    texts.stdout += data.toString();
  });
  child.stderr.on("data", (data: Buffer) => {
    texts.stderr += data.toString();
  });
  return new Promise((done, fail) => child.once("error", fail).once("close", () => done(texts)));
}
