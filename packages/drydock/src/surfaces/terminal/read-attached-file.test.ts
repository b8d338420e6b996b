import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeTemporaryDirectory } from "../../base/testing/temporary-directory.ts";
import { readAttachedFile } from "./read-attached-file.ts";

describe("a file that a person attaches", () => {
  it("is read whole up to its limit", async () => {
    const file = join(makeTemporaryDirectory(), "data.csv");
    writeFileSync(file, "x,y\n");
    expect((await readAttachedFile("data.csv", file, 4)).toString()).toBe("x,y\n");
    await expect(readAttachedFile("data.csv", file, 3)).rejects.toMatchObject({ code: "input.invalid" });
  });

  it("is not read on where it has no end, whatever size it says that it has", async () => {
    await expect(readAttachedFile("/dev/zero", "/dev/zero", 1 << 20)).rejects.toMatchObject({
      message: "/dev/zero is too large.",
      hint: "A file may have 1.0 MB. Use --workspace DIR for more.",
    });
  });

  it.each(["below", "missing.csv"])("that can't be read is named: %s", async (name) => {
    const directory = makeTemporaryDirectory();
    mkdirSync(join(directory, "below"));
    const read = readAttachedFile(name, join(directory, name), 10);
    await expect(read).rejects.toMatchObject({ code: "input.invalid", message: expect.stringContaining(name) });
  });
});
