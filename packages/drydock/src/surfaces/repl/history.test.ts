import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openHistory } from "./history.ts";

let place = "";
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "drydock-history-"));
});
afterAll(() => rm(place, { recursive: true, force: true }));

const keep = (text: string) => text.replaceAll("sesame", "[redacted]");

describe("the history", () => {
  it("is kept between starts, newest first, for its owner alone, and without secrets", async () => {
    const file = join(place, "deep", "history");
    const first = await openHistory(file, keep);
    for (const line of ["x = 1", "key = 'sesame'", "key = 'sesame'", "  ", "x"]) await first.add(line);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await openHistory(file, keep)).lines).toEqual(["x", "key = '[redacted]'", "x = 1"]);
    expect(await readFile(file, "utf8")).not.toContain("sesame");
  });

  it("is made private again where it was not", async () => {
    const file = join(place, "open");
    await writeFile(file, "old\n");
    await chmod(file, 0o644);
    await (await openHistory(file, keep)).add("new");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it("stays within bounds", async () => {
    const file = join(place, "long");
    await writeFile(file, Array.from({ length: 5000 }, (_, index) => `line ${index}\n`).join(""));
    const history = await openHistory(file, keep);
    expect(history.lines).toHaveLength(1000);
    expect(history.lines[0]).toBe("line 4999");
    expect((await readFile(file, "utf8")).split("\n")).toHaveLength(1001);
    await history.add("y".repeat(100_000));
    expect((await openHistory(file, keep)).lines[0]).toHaveLength(4000);
  });

  it("never drives the terminal, whoever wrote it", async () => {
    const file = join(place, "foreign");
    await writeFile(file, "a\u001b]0;title\u0007b\nfine\n");
    expect((await openHistory(file, keep)).lines).toEqual(["fine", "a\\x1b]0;title\\x07b"]);
  });

  it("is a convenience: without a place to be in, nothing fails", async () => {
    const history = await openHistory(join(place, "open", "below-a-file"), keep);
    await expect(history.add("x")).resolves.toBeUndefined();
  });
});
