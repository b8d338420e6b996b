import { hash } from "node:crypto";
import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RecordEntry } from "@drydock/protocol";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { restoreBase } from "./restore-base.ts";

const text = Buffer.from("content\n");
const sha256 = hash("sha256", text, "hex");
const contents = { [sha256]: text.toString("base64") };
const file = (path: string, mode = 0o644): RecordEntry => ({ path, type: "file", mode, sha256 });
const directory = (path: string, mode = 0o755): RecordEntry => ({ path, type: "directory", mode });
const link = (path: string, target: string): RecordEntry => ({ path, type: "symlink", mode: 0o777, target });

let place = "";
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "drydock-restore-"));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
});
const restore = (...entries: RecordEntry[]) => restoreBase({ treeHash: "", entries }, contents, place);

describe("the directory of a record", () => {
  it("is written with its modes and links, and removed without a trace", async () => {
    const entries = [directory("d", 0o555), file("d/x", 0o755), file("y"), link("l", "/etc/passwd")];
    const { workspace, remove } = await restore(...entries);
    const modeOf = (path: string) => lstatSync(join(workspace, path)).mode & 0o777;
    expect([modeOf("d"), modeOf("d/x"), modeOf("y")]).toEqual([0o555, 0o755, 0o644]);
    expect(readFileSync(join(workspace, "d/x"), "utf8")).toBe("content\n");
    expect(readlinkSync(join(workspace, "l"))).toBe("/etc/passwd");
    await remove();
    expect(readdirSync(place)).toEqual([]);
  });

  it.each<[name: string, entries: RecordEntry[]]>([
    ["a path that climbs out", [file("../escaped")]],
    ["a path that climbs out further down", [directory("d"), file("d/../../escaped")]],
    ["an absolute path", [file("/tmp/drydock-escaped")]],
    ["a path through a link", [link("l", ".."), file("l/escaped")]],
    ["a link and a directory of one name", [link("l", ".."), directory("l"), file("l/escaped")]],
    ["a policy of its own", [directory(".drydock"), file(".drydock/policy.yaml")]],
    ["hooks", [directory(".git"), file(".git/config")]],
    ["a name with a zero byte", [file("a\0b")]],
    ["an empty name", [file("")]],
    ["a path without its directory", [file("d/x")]],
    ["the same path twice", [file("x"), file("x")]],
  ])("is refused for %s, before anything is written", async (_name, entries) => {
    await expect(restore(...entries)).rejects.toMatchObject({ code: "input.invalid" });
    expect(readdirSync(place)).toEqual([]);
    expect(existsSync(join(place, "..", "escaped"))).toBe(false);
  });
});
