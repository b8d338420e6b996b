import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { useTemporaryDirectory } from "../../../base/testing/temporary-directory.ts";
import { MAX_FILE_BYTES, readDocumentFile } from "./read-file.ts";

const directory = useTemporaryDirectory();
const place = (name: string) => join(directory, name);

it("reads a file and names its content", async () => {
  writeFileSync(place("a.txt"), "abc");
  const { content, sha256 } = await readDocumentFile(place("a.txt"));
  expect([content.toString(), sha256]).toEqual(["abc", expect.stringMatching(/^ba7816bf/)]);
});

it("opens nothing through a link, also where a folder on the way has become one", async () => {
  mkdirSync(place("outside"));
  writeFileSync(place("outside/secret.txt"), "secret");
  symlinkSync(place("outside/secret.txt"), place("link.txt"));
  symlinkSync(place("outside"), place("folder"));
  for (const path of ["link.txt", "folder/secret.txt"])
    await expect(readDocumentFile(place(path))).rejects.toMatchObject({ code: "input.invalid" });
});

it("waits for no pipe, and reads no directory and no device", async () => {
  execFileSync("mkfifo", [place("pipe.txt")]);
  for (const path of [place("pipe.txt"), directory, "/dev/zero"])
    await expect(readDocumentFile(path)).rejects.toThrow("no ordinary file");
});

it("refuses a file that is too large before it reads it", async () => {
  writeFileSync(place("large.txt"), "");
  truncateSync(place("large.txt"), MAX_FILE_BYTES + 1);
  await expect(readDocumentFile(place("large.txt"))).rejects.toThrow("more than 50 MB");
});
