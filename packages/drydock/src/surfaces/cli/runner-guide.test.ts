import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { followGuide, readGuide } from "./testing/follow-guide.ts";

const GUIDE = join(import.meta.dirname, "../../../../../docs/guides/runners.md");
const before = { directory: process.cwd(), home: process.env.DRYDOCK_HOME, path: process.env.PATH };
let place = "";
let home = "";

beforeEach(async () => {
  place = await realpath(await mkdtemp(join(tmpdir(), "drydock-guide-")));
  home = await mkdtemp(join(tmpdir(), "drydock-guide-home-"));
  process.env.DRYDOCK_HOME = home;
  // The Node that Drydock itself runs on: an older one does not know TypeScript.
  process.env.PATH = `${dirname(process.execPath)}:${before.path}`;
  process.chdir(place);
});
afterEach(async () => {
  process.chdir(before.directory);
  process.env.PATH = before.path;
  process.env.DRYDOCK_HOME = before.home;
  for (const each of [place, home]) await rm(each, { recursive: true, force: true });
});

/** The part of the guide under a heading. */
async function readPart(heading: string): Promise<string> {
  const text = await readFile(GUIDE, "utf8");
  const start = text.indexOf(`\n## ${heading}\n`);
  expect(start).toBeGreaterThan(0);
  const end = text.indexOf("\n## ", start + 4);
  return text.slice(start, end < 0 ? undefined : end);
}

describe("a newcomer who follows the guide word for word has a runner that answers", () => {
  it.each([
    ["TypeScript", 9, "greeter"],
    ["Python", 6, "welcomer"],
  ])("in %s", async (language, commands, name) => {
    const steps = readGuide(await readPart(`Your first runner in ${language}`));
    expect(steps.filter((step) => "file" in step)).toHaveLength(2);
    expect(steps.filter((step) => "command" in step).length).toBeGreaterThanOrEqual(commands);
    await followGuide(steps, place);
    await followGuide(readGuide((await readPart("Give it to others")).replaceAll("greeter", name)), place);
  });
});
