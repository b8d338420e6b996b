import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeDemo } from "../testing/demo-extension.ts";
import { createRegistry } from "./create-registry.ts";

const CHILD = fileURLToPath(new URL("../testing/change-and-die.ts", import.meta.url));
const AT_ONCE = 2;

let place = "";
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "drydock-killed-"));
  await writeDemo(join(place, "v1"));
  await writeDemo(join(place, "v2"), { version: "2.0.0" });
});
afterAll(() => rm(place, { recursive: true, force: true }));

function open(home: string, onStep?: (step: string) => void) {
  const download = () => Promise.reject(new Error("nothing is fetched here"));
  return createRegistry({ home, builtInDirectory: null, download, npmRegistry: async () => null, onStep });
}

const agree = { approve: async () => true };

/** What the tool of the installed extension says, as it is used; null where there is none. */
async function useTool(home: string): Promise<string | null> {
  const registry = open(home);
  const [one] = await registry.list();
  if (!one) return null;
  const { directory } = await registry.verify("demo");
  return execFileSync(join(directory, "tools", "demo"), ["works"], { encoding: "utf8" });
}

/** Everything below `extensions/` that is no registry: what there must be, and nothing that was left over. */
function listLeft(home: string): { installed: string[]; staging: string[]; work: boolean } {
  const root = join(home, "extensions");
  const names = (path: string) => (existsSync(path) ? readdirSync(path) : []);
  const installed = names(join(root, "installed")).flatMap((id) => names(join(root, "installed", id)));
  return { installed, staging: names(join(root, "staging")), work: existsSync(join(root, "work", "demo")) };
}

async function die(home: string, action: string, subject: string, step: number): Promise<void> {
  const words = ["--conditions=drydock-source", "--disable-warning=ExperimentalWarning", CHILD];
  const child = spawn(process.execPath, [...words, home, action, subject, String(step)], { stdio: "ignore" });
  const [, signal] = (await once(child, "close")) as [number | null, string | null];
  expect(signal, `${action} at step ${step}`).toBe("SIGKILL");
}

interface Case {
  action: "add" | "update" | "remove";
  source: string;
  before: string | null;
  after: string | null;
  /** What is never between: from this step on the new state holds. */
  turn: string;
}

const CASES: Case[] = [
  { action: "add", source: "v1", before: null, after: "demo 1.0.0 works\n", turn: "remove what was there before" },
  {
    action: "update",
    source: "v2",
    before: "demo 1.0.0 works\n",
    after: "demo 2.0.0 works\n",
    turn: "remove what was there before",
  },
  { action: "remove", source: "", before: "demo 1.0.0 works\n", after: null, turn: "remove its files" },
];

async function makeHome(name: string, { action }: Case): Promise<string> {
  const home = join(place, name);
  await mkdir(home);
  if (action !== "add") {
    await open(home).add(join(place, "v1"), agree);
    const work = join(home, "extensions", "work", "demo", "default");
    await mkdir(work, { recursive: true });
    await writeFile(join(work, "kept.txt"), "work");
  }
  return home;
}

async function act(registry: ReturnType<typeof open>, { action, source }: Case): Promise<void> {
  if (action === "add") await registry.add(join(place, source), agree);
  else if (action === "update") await registry.update("demo", { ...agree, source: join(place, source) });
  else await registry.remove("demo");
}

describe.each(CASES)("$action that is killed", (how) => {
  it("at any step leaves the old state or the new one, and nothing else", async () => {
    const steps: string[] = [];
    const untouched = await makeHome(`${how.action}-whole`, how);
    await act(
      open(untouched, (step) => steps.push(step)),
      how,
    );
    expect(await useTool(untouched)).toBe(how.after);
    expect(steps.length).toBeGreaterThan(4);

    const template = await makeHome(`${how.action}-template`, how);
    const queue = steps.map((step, index) => ({ step, index }));
    const seen: string[] = [];
    const work = async () => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const { step, index } = next;
        const home = join(place, `${how.action}-${index}`);
        await cp(template, home, { recursive: true, preserveTimestamps: true });
        await die(home, how.action, how.source === "" ? "" : join(place, how.source), index);
        const isNew = index >= steps.indexOf(how.turn);
        expect(await useTool(home), `before “${step}”`).toBe(isNew ? how.after : how.before);
        const left = listLeft(home);
        const holds = (isNew ? how.after : how.before) === null ? 0 : 2;
        expect(left, `before “${step}”`).toMatchObject({ staging: [] });
        expect(left.installed, `before “${step}”`).toHaveLength(holds);
        expect(left.work, `before “${step}”`).toBe(how.action === "update" || (how.action === "remove" && !isNew));
        seen.push(step);
        if (isNew) continue;
        // What was cut off can be done again.
        await act(open(home), how);
        expect(await useTool(home)).toBe(how.after);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    expect(seen).toHaveLength(steps.length);
  });
});
