/** `node scripts/run.mjs FILE.ts ARG…`: sets up, then runs a TypeScript file of this tree with the pinned Node. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { pinnedNode, root, toolEnvironment } from "./paths.mjs";
import { setUpOrExit } from "./setup.mjs";

const [file, ...args] = process.argv.slice(2);
if (file === undefined || !existsSync(join(root, file))) {
  console.error(
    file === undefined ? "usage: node scripts/run.mjs FILE.ts ARG…" : `${file} does not exist in this tree.`,
  );
  process.exit(2);
}
setUpOrExit({ tests: !file.startsWith("demo/") });

const flags = ["--conditions=drydock-source", "--disable-warning=ExperimentalWarning"];
const child = spawn(pinnedNode(), [...flags, join(root, file), ...args], {
  cwd: root,
  env: toolEnvironment(),
  stdio: "inherit",
});
// A terminal sends Ctrl-C to both, so it is not passed on; how the child ends is how we end.
process.on("SIGINT", () => {});
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("close", (status, signal) => process.exit(signal === null ? status : 128 + constants.signals[signal]));
