import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { putFile } from "./put-file.ts";

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "drydock-put-"));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

describe("putFile", () => {
  it("makes the directory and a file that only its owner can read", async () => {
    await putFile(join(place, "new", "a.txt"), "one");
    expect(readFileSync(join(place, "new", "a.txt"), "utf8")).toBe("one");
    expect(statSync(join(place, "new", "a.txt")).mode & 0o777).toBe(0o600);
    expect(statSync(join(place, "new")).mode & 0o777).toBe(0o700);
  });

  it("leaves a link a link, and replaces what it leads to", async () => {
    writeFileSync(join(place, "real.txt"), "old");
    symlinkSync("real.txt", join(place, "link.txt"));
    await putFile(join(place, "link.txt"), "new");
    expect(lstatSync(join(place, "link.txt")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(place, "real.txt"), "utf8")).toBe("new");
  });

  it("never shows half of a file, and leaves the old one where the check refuses", async () => {
    const path = join(place, "a.txt");
    await putFile(path, "old");
    const refuse = async () => {
      expect(readFileSync(path, "utf8")).toBe("old");
      expect(readdirSync(place)).toHaveLength(2);
      throw new Error("refused");
    };
    await expect(putFile(path, "new", refuse)).rejects.toThrow("refused");
    expect(readFileSync(path, "utf8")).toBe("old");
    expect(readdirSync(place)).toEqual(["a.txt"]);
  });
});
