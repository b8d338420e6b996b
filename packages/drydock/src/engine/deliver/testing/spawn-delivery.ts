import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { DeliveryFixture } from "./delivery-fixture.ts";

const CHILD = fileURLToPath(new URL("./deliver-child.ts", import.meta.url));
const places = mkdtempSync(join(tmpdir(), "drydock-deliver-child-"));
chmodSync(places, 0o755);
// Files that share a process share this module: it is there until the process ends.
process.on("exit", () => rmSync(places, { recursive: true, force: true }));

/** One file starts in a fraction of the time, and it is started a hundred times. */
const bundled = build({
  entryPoints: [CHILD],
  outfile: join(places, "child.mjs"),
  bundle: true,
  platform: "node",
  format: "esm",
  conditions: ["drydock-source"],
  logLevel: "error",
}).then(() => join(places, "child.mjs"));

export interface ChildArguments {
  mode: "deliver" | "revert" | "recover";
  home: string;
  workspace: string;
  journalDirectory: string;
  store: string;
  layerFile: string;
  killAt: number;
  /** A path that somebody changes as soon as everything is prepared. */
  disturb?: string;
}

export interface ChildReport {
  signal: string | null;
  steps: number;
  error?: { code?: string; message: string };
}

/** `shell` is put before the child's own words, which it finds as "$@". */
export interface SpawnOptions {
  disturb?: string;
  shell?: string;
  uid?: number;
}

/** Runs one mode in a process of its own, which kills itself after so many steps. */
export async function spawnDelivery(
  { home, workspace, journalDirectory, contents, layer }: DeliveryFixture,
  mode: ChildArguments["mode"],
  killAt = 0,
  { shell, uid, disturb }: SpawnOptions = {},
): Promise<ChildReport> {
  const layerFile = join(home, "layer.json");
  writeFileSync(layerFile, JSON.stringify(layer));
  const store = dirname(await contents.path("x"));
  const args: ChildArguments = { mode, home, workspace, journalDirectory, store, layerFile, killAt, disturb };
  const words = [process.execPath, "--disable-warning=ExperimentalWarning", await bundled, JSON.stringify(args)];
  const [program = "", ...rest] =
    shell === undefined
      ? words
      : ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", shell, "sh", ...words];
  const child = spawn(program, rest, { stdio: ["ignore", "pipe", "pipe"], uid, gid: uid });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const [status, signal] = (await once(child, "close")) as [number | null, string | null];
  if (signal === "SIGKILL") return { signal, steps: killAt };
  if (status !== 0) throw new Error(`The child failed: ${stderr}`);
  return { signal, ...(JSON.parse(stdout) as Omit<ChildReport, "signal">) };
}
