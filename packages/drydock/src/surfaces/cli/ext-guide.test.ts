import { mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { followGuide, readGuide } from "./testing/follow-guide.ts";
import { useHome } from "./testing/use-home.ts";

const GUIDE = join(import.meta.dirname, "../../../../../docs/guides/extensions.md");

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

describe("the guide to extensions", () => {
  it("can be followed word for word", async () => {
    const steps = readGuide(await readFile(GUIDE, "utf8")).filter((step) => "command" in step);
    expect(steps.length).toBeGreaterThan(20);
    await followGuide(steps, place);
  });
});
