import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli } from "./testing/run-cli.ts";
import { useHome } from "./testing/use-home.ts";

const GUIDE = join(import.meta.dirname, "../../../../../docs/guides/extensions.md");
/** Where the guide's reader is at home. */
const PLACE = "/home/maria";

const home = useHome();
const before = process.cwd();
let place = "";
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "drydock-guide-"));
  await mkdir(join(place, "home"));
  await symlink(home(), join(place, "home", ".drydock"));
  process.chdir(place);
});
afterAll(async () => {
  process.chdir(before);
  await rm(place, { recursive: true, force: true });
});

interface Typed {
  command: string;
  shown: string[];
}

/** What is typed in the guide's console blocks, in order, with what is shown after it. */
function readGuide(text: string): Typed[] {
  const typed: Typed[] = [];
  for (const [, block = ""] of text.matchAll(/^```console\n([\s\S]*?)^```$/gm)) {
    for (const line of block.trimEnd().split("\n")) {
      if (line.startsWith("$ ")) typed.push({ command: line.slice(2), shown: [] });
      else typed.at(-1)?.shown.push(line);
    }
  }
  return typed;
}

async function type({ command, shown }: Typed): Promise<string> {
  if (!command.startsWith("drydock ")) {
    const env = { PATH: process.env.PATH, HOME: join(place, "home") };
    return execFileSync("bash", ["-c", command], { encoding: "utf8", cwd: place, env });
  }
  const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "").slice(1);
  // Whoever follows the guide answers with y.
  const agrees = shown.some((line) => line.includes("[y/N] y"));
  const { stdout, stderr } = await runCli(...words, ...(agrees ? ["--yes"] : []));
  return stdout + stderr;
}

/** `…` on a line of its own stands for any lines. */
/** Columns are as wide as what stands in them: times differ from machine to machine. */
function toPattern(shown: readonly string[]): RegExp {
  const lines = shown.filter((line) => !line.includes("[y/N]"));
  const parts = lines.map((line) =>
    line === "…" ? "(?:.*\\n)*?" : `${line.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&").replaceAll(/ {2,}/g, " {2,}")}\\n`,
  );
  return new RegExp(`^${parts.join("")}$`);
}

describe("the guide to extensions", () => {
  it("can be followed word for word", async () => {
    const typed = readGuide(await readFile(GUIDE, "utf8"));
    expect(typed.length).toBeGreaterThan(20);
    for (const each of typed) {
      const reply = (await type(each)).replaceAll(place, PLACE);
      expect(reply, each.command).toMatch(toPattern(each.shown));
    }
  });
});
