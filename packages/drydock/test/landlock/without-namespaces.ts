import { spawn } from "node:child_process";
import { chownSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Dock, ExecOptions } from "drydock";
import { CHILD_FLAGS } from "../../src/base/testing/child-flags.ts";

export type ExecResult = Awaited<ReturnType<Dock["exec"]>>;

const root = process.getuid?.() === 0;
/** An ordinary user's number: our own, or one that nobody has. */
const USER = root ? 60_123 : (process.getuid?.() ?? 0);
const asUser = root ? ["setpriv", `--reuid=${USER}`, `--regid=${USER}`, "--clear-groups"] : [];

/** Ways to be on a machine that gives no namespaces; the second needs root, as in most containers. */
const SITUATIONS = {
  "an ordinary user where user namespaces are switched off": [
    ...asUser,
    ...["unshare", "-U", `--map-user=${USER}`, `--map-group=${USER}`, "--keep-caps", "sh", "-c"],
    'echo 0 > /proc/sys/user/max_user_namespaces && exec setpriv --inh-caps=-all --ambient-caps=-all "$@"',
    "sh",
  ],
  "root that may not mount": ["setpriv", "--bounding-set=-sys_admin"],
} as const;
export type Situation = keyof typeof SITUATIONS;

export function possibleSituations(): Situation[] {
  const names = Object.keys(SITUATIONS) as Situation[];
  return root ? names : names.slice(0, 1);
}

/** A directory that the host of a situation can write. */
export function makeOwnDirectory(situation: Situation, directory: string): string {
  const own = mkdtempSync(join(directory, "own-"));
  if (root && situation !== "root that may not mount") chownSync(own, USER, USER);
  return own;
}

/** Executes the requests, by name, in a host process of that situation. */
export async function execWithoutNamespaces(
  situation: Situation,
  directory: string,
  policy: string | undefined,
  requests: Record<string, ExecOptions>,
): Promise<Record<string, ExecResult>> {
  const own = mkdtempSync(join(directory, "host-"));
  const home = join(own, "home");
  mkdirSync(home, { mode: 0o700 });
  if (policy !== undefined) writeFileSync(join(home, "policy.yaml"), policy);
  const file = join(own, "requests.json");
  writeFileSync(file, JSON.stringify(requests));
  if (root && situation !== "root that may not mount")
    for (const path of [own, home, file]) chownSync(path, USER, USER);
  const host = [...CHILD_FLAGS, join(import.meta.dirname, "exec-all.ts"), home, file];
  return (await hostWithoutNamespaces(situation, host)) as Record<string, ExecResult>;
}

/** What a program of Node that is a host process of that situation prints, as JSON. */
export async function hostWithoutNamespaces(situation: Situation, program: readonly string[]): Promise<unknown> {
  const [command = "", ...args] = SITUATIONS[situation];
  const child = spawn(command, [...args, process.execPath, ...program], { stdio: ["ignore", "pipe", "pipe"] });
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (data: Buffer) => {
    output.stdout += data.toString();
  });
  child.stderr.on("data", (data: Buffer) => {
    output.stderr += data.toString();
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`the host ended with ${code}: ${output.stderr}`);
  return JSON.parse(output.stdout);
}
