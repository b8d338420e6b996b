import { chownSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { chmod, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { recoverDeliveries } from "./recover-deliveries.ts";
import { prepareDelivery } from "./testing/delivery-fixture.ts";
import { spawnDelivery } from "./testing/spawn-delivery.ts";
import { hashTree, MEMORY, makeDirectory, readTree } from "./testing/trees.ts";

const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;

describe("a delivery that the system stands in the way of", () => {
  it("says that the disk is full, and has changed nothing", async () => {
    const fixture = prepareDelivery({ a: "1", "b/c": "2" }, { a: "x".repeat(100_000), big: "y".repeat(900_000) });
    // The small disk lives as long as the child: what is on it is compared there.
    const shell = `cp -a "$WS" "$WS.kept" && mount -t tmpfs -o size=256k small "$WS" && cp -a "$WS.kept/." "$WS" && "$@" && diff -r "$WS.kept" "$WS" >&2`;
    const report = await spawnDelivery(fixture, "deliver", 0, { shell: shell.replaceAll("$WS", fixture.workspace) });
    expect(report.error).toMatchObject({ code: "limit.disk" });
    expect(await recoverDeliveries(fixture.home, { record: async () => {} })).toEqual({ recovered: [], failed: [] });
  });

  it("says that the file system is read-only", async () => {
    const fixture = prepareDelivery({ a: "1" }, { a: "2" });
    const shell = `mount --bind "$WS" "$WS" && mount -o remount,ro,bind "$WS" && "$@"`;
    const report = await spawnDelivery(fixture, "deliver", 0, { shell: shell.replaceAll("$WS", fixture.workspace) });
    expect(report.error).toMatchObject({ code: "delivery.conflict" });
    expect(readFileSync(join(fixture.workspace, "a"), "utf8")).toBe("1");
  });

  it("says which directory can't be written, before anything is", async () => {
    const fixture = prepareDelivery({ a: "1", "closed/b": "2" }, { a: "2", "closed/b": "3" });
    await chmod(join(fixture.workspace, "closed"), 0o555);
    const before = readTree(fixture.workspace);
    if (isRoot) giveAway(dirname(fixture.workspace));
    const report = await spawnDelivery(fixture, "deliver", 0, isRoot ? { uid: NOBODY } : {});
    expect(report.error).toMatchObject({ code: "delivery.conflict", message: expect.stringContaining("closed") });
    expect(readTree(fixture.workspace)).toEqual(before);
  });

  it.runIf(isRoot)("gives what root makes to the owner of the place", async () => {
    const fixture = prepareDelivery({ a: "1", "d/b": "2" }, { a: "2", "d/b": "2", "d/e/c": "3", l: { link: "a" } });
    for (const path of ["", "a", "d"]) chownSync(join(fixture.workspace, path), path === "a" ? 1234 : NOBODY, NOBODY);
    await fixture.deliver();
    const owners = ["a", "d/e", "d/e/c", "l"].map((path) => lstatSync(join(fixture.workspace, path)).uid);
    expect(owners).toEqual([1234, NOBODY, NOBODY, NOBODY]);
  });

  it("works where home and workspace lie on different disks", async () => {
    const fixture = prepareDelivery({ a: "1", b: "2" }, { a: "2", "c/d": "3" }, MEMORY);
    const journalDirectory = join(makeDirectory(), "deliveries", "run_1");
    const old = hashTree(fixture.workspace);
    expect(await fixture.deliver({ journalDirectory })).toMatchObject({ kind: "applied" });
    expect(hashTree(fixture.workspace)).toBe(hashTree(fixture.wanted));
    expect(await fixture.revert({ journalDirectory })).toMatchObject({ kind: "applied" });
    expect(hashTree(fixture.workspace)).toBe(old);
  });
});

describe("recovery", () => {
  it("leaves alone what the user changed between the crash and the next command", async () => {
    const fixture = prepareDelivery({ a: "1", b: "1", c: "1" }, { a: "2", b: "2", c: "2" });
    await spawnDelivery(fixture, "deliver", 6); // preparing, three staged, prepared, one placed
    writeFileSync(join(fixture.workspace, "c"), "mine");
    const left: string[] = [];
    const report = await recoverDeliveries(fixture.home, {
      record: async (_delivery, journal) => {
        left.push(...journal.left);
      },
    });
    expect(report).toMatchObject({ recovered: [{ kind: "apply", outcome: "completed" }], failed: [] });
    expect(["a", "b", "c"].map((name) => readFileSync(join(fixture.workspace, name), "utf8"))).toEqual([
      "2",
      "2",
      "mine",
    ]);
    expect(left).toEqual(["c"]);
    expect(readTree(fixture.workspace)).toHaveLength(3);
  });

  it("tells what it can't do while the workspace is away, and does it once it is back", async () => {
    const fixture = prepareDelivery({ a: "1", b: "1" }, { a: "2", b: "2" });
    await spawnDelivery(fixture, "deliver", 5);
    await rename(fixture.workspace, `${fixture.workspace}-away`);
    const away = await recoverDeliveries(fixture.home, { record: async () => {} });
    expect(away).toMatchObject({ recovered: [], failed: [{ error: { code: "delivery.conflict" } }] });
    await rename(`${fixture.workspace}-away`, fixture.workspace);
    const back = await recoverDeliveries(fixture.home, { record: async () => {} });
    expect(back).toMatchObject({ recovered: [{ outcome: "completed" }], failed: [] });
    expect(hashTree(fixture.workspace)).toBe(hashTree(fixture.wanted));
  });
});

function giveAway(root: string): void {
  mkdirSync(join(root, "home/deliveries"), { recursive: true });
  writeFileSync(join(root, "home/layer.json"), "{}");
  for (const path of [
    "",
    "home",
    "home/deliveries",
    "home/layer.json",
    "workspace",
    "workspace/a",
    "workspace/closed",
    "workspace/closed/b",
    "store",
  ]) {
    chownSync(join(root, path), NOBODY, NOBODY);
  }
}
