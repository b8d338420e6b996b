import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readConfig } from "../../src/app/config.ts";
import { claimPlace } from "../../src/app/run-place.ts";
import { resolvePolicy } from "../../src/policy/index.ts";
import { createSandbox, KERNEL_DIRECTORY } from "../../src/sandbox/index.ts";

/** Where the conditions are listed on which a slot is used again: one row a line, its name first. */
const LISTS = ["attend/watched_member.py", "attend/recycling.py", "contain/traces.py"];

export interface Visit {
  /** When the slot was built, and its mounts: no two slots have both in common. */
  slot: string;
  reused: boolean;
  said: string;
}

export interface ReuseSandbox {
  /** One plain run. */
  visit(code: string, stdin?: string): Promise<Visit>;
  /** Runs the code in a slot that was used before, however often that takes. */
  attack(code: string, stdin?: string): Promise<Visit>;
  /** Whether a run comes into this slot after all; what it said there. `attempts`: more where one is expected to come. */
  returnTo(slot: string, code: string, attempts?: number): Promise<string | null>;
  close(): Promise<void>;
}

export interface KernelChange {
  /** Names of conditions whose rows are taken away. */
  without?: readonly string[];
  /** Texts that are replaced. */
  replaced?: readonly (readonly [file: string, text: string, by: string])[];
  /** Hosts that runs may reach. */
  allow?: string[];
}

const SLOT = `import os as _os
print("slot %d-%s" % (_os.stat("/home/dock").st_ctime_ns, _os.readlink("/proc/self/ns/mnt")), flush=True)
`;
const ATTEMPTS = 20;
/** On a busy machine a slot comes back late: a test that expects it must wait longer than one that expects none. */
export const PATIENT = 20;
const AT_ONCE = 3;

/** The sandbox on a copy of the kernel part, with less in it. */
export function openReuseSandbox({ without = [], replaced = [], allow = [] }: KernelChange = {}): ReuseSandbox {
  const directory = mkdtempSync(join(tmpdir(), "drydock-reuse-"));
  const home = join(directory, "home");
  const kernel = join(directory, "kernel");
  mkdirSync(home, { mode: 0o700 });
  // With what Python has compiled of it, which holds for files of the same times and sizes.
  cpSync(KERNEL_DIRECTORY, kernel, { recursive: true, preserveTimestamps: true });
  for (const name of without) removeRow(kernel, name);
  for (const [file, text, by] of replaced) replace(join(kernel, file), text, by);
  const config = readConfig();
  const place = claimPlace(config, home, undefined);
  const sandbox = createSandbox({ ...place, kernel, own: [home], userHome: config.userHome, warm: 8 });
  const { effective } = resolvePolicy({ home: null, workspace: null });
  const policy = {
    ...effective,
    network: { ...effective.network, allow },
    python: { ...effective.python, guard: "off" as const },
  };

  async function visit(code: string, stdin?: string): Promise<Visit> {
    const work = { language: "python", code: SLOT + code } as const;
    const outcome = await sandbox.run({ work, policy, workspace: null, environment: {}, reuseFor: "owner", stdin });
    const reply = outcome.stdout.toString() + outcome.stderr.toString();
    return { slot: reply.match(/slot (\S+)/)?.[1] ?? "", reused: outcome.sandbox.reused === true, said: reply };
  }

  return {
    visit,
    async attack(code, stdin) {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const visited = await visit(code, stdin);
        if (visited.reused) return visited;
        await visit("");
        await sleep(100);
      }
      throw new Error("no slot was used again");
    },
    async returnTo(slot, code, attempts = 4) {
      for (let attempt = 0; attempt < attempts; attempt++) {
        await sleep(100);
        // Several at once: one by one they would have the slot that came back last, however late this one did.
        const visited = await Promise.all(Array.from({ length: AT_ONCE }, () => visit(code)));
        const found = visited.find((each) => each.slot === slot);
        if (found) return found.said;
      }
      return null;
    },
    async close() {
      await sandbox.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function removeRow(kernel: string, name: string): void {
  const row = new RegExp(`^    \\("${name}", .*\\),\\n`, "m");
  const file = LISTS.map((each) => join(kernel, each)).find((each) => row.test(readFileSync(each, "utf8")));
  if (!file) throw new Error(`no condition is called ${name}`);
  writeFileSync(file, readFileSync(file, "utf8").replace(row, ""));
}

function replace(file: string, text: string, by: string): void {
  const before = readFileSync(file, "utf8");
  if (!before.includes(text)) throw new Error(`${file} does not say ${text}`);
  writeFileSync(file, before.replace(text, by));
}
