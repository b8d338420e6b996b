/**
 * The one command that checks everything: format and lint, types, dead code, then every test (boundaries, pins and
 * packaging among them). Of the static checks only what failed is shown. `--soak` runs the long tests instead; other
 * arguments go to vitest, so that `npm test -- packages/drydock/src/ledger` tests one room.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { modulesDir, root, toolEnvironment } from "./paths.mjs";
import { setUpOrExit } from "./setup.mjs";

const STATIC_CHECKS = [
  { title: "format and lint", tool: "biome", args: ["check", "--error-on-warnings", "."] },
  { title: "format and lint of Python", tool: "node", args: ["scripts/lint-python.mjs"] },
  { title: "types", tool: "tsc", args: ["-p", "."] },
  { title: "types of the console", tool: "tsc", args: ["-p", "packages/web"] },
  { title: "types of the chat page", tool: "tsc", args: ["-p", "packages/drydock/src/surfaces/http/webchat/page"] },
  { title: "types of Python", tool: "pyright", args: ["--warnings"] },
  { title: "dead code", tool: "knip", args: ["--no-progress"] },
];

const seconds = (startedAt) => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;

/** Runs a tool of this tree; JavaScript ones get the pinned Node through the PATH. Gives the exit status and the output. */
function runTool(tool, args, { env = {}, stdio = "pipe" } = {}) {
  return new Promise((resolve) => {
    const child = spawn(join(modulesDir, ".bin", tool), args, {
      cwd: root,
      env: { ...toolEnvironment(), ...env },
      stdio: ["ignore", stdio, stdio],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += chunk));
    child.on("error", (error) => resolve({ status: 1, output: error.message }));
    child.on("close", (status) => resolve({ status: status ?? 1, output }));
  });
}

async function runStaticChecks() {
  const outcomes = await Promise.all(
    STATIC_CHECKS.map(async ({ title, tool, args }) => {
      const startedAt = performance.now();
      const { status, output } = await runTool(tool, args);
      console.log(`${status === 0 ? "✓" : "✗"} ${title} (${seconds(startedAt)})`);
      return { title, failed: status !== 0, output };
    }),
  );
  const failed = outcomes.filter((outcome) => outcome.failed);
  for (const { title, output } of failed) console.log(`\n── ${title} ──\n${output.trim()}`);
  return { passed: outcomes.length - failed.length, failed: failed.length, skipped: 0 };
}

/** vitest shows its own progress; the counts come from its report. A run that ends badly without a failed test is a failure too. */
async function runTests(args, env) {
  const directory = mkdtempSync(join(tmpdir(), "drydock-check-"));
  const report = join(directory, "report.json");
  const startedAt = performance.now();
  try {
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
    // The build is current by now, so that tests may start it instead of the sources; what V8 makes of any code is kept.
    const child = { ...env, DRYDOCK_BUILT: "1", NODE_COMPILE_CACHE: join(directory, "compiled") };
    const { status } = await runTool("vitest", ["run", ...reporters, ...args], { env: child, stdio: "inherit" });
    const counts = existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : {};
    const { numPassedTests: passed = 0, numFailedTests = 0, numPendingTests = 0, numTodoTests = 0 } = counts;
    const failed = status !== 0 && numFailedTests === 0 ? 1 : numFailedTests;
    console.log(`${status === 0 ? "✓" : "✗"} tests (${seconds(startedAt)})`);
    return { passed, failed, skipped: numPendingTests + numTodoTests };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

setUpOrExit();
const soak = process.argv.includes("--soak");
const vitestArgs = process.argv.slice(2).filter((argument) => argument !== "--soak");
const results = soak
  ? [await runTests(["--passWithNoTests", ...vitestArgs], { DRYDOCK_SOAK: "1" })]
  : [await runStaticChecks(), await runTests(vitestArgs)];
const total = (key) => results.reduce((sum, result) => sum + result[key], 0);
if (total("skipped") > 0) console.log(`${total("skipped")} skipped`);
console.log(`${total("passed")} passed, ${total("failed")} failed`);
process.exitCode = total("failed") === 0 ? 0 : 1;
