import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import type { ArtifactRef } from "@drydock/protocol";
import { expect, test } from "vitest";
import type { Dock } from "../../app/index.ts";
import { makeTemporaryDirectory } from "../../base/testing/temporary-directory.ts";
import { showPictures } from "./show-pictures.ts";
import { createTerminal } from "./terminal.ts";

test("a file that would be written through a link is told of, and the others are written", async () => {
  const place = makeTemporaryDirectory();
  const [out, outside] = [join(place, "out"), join(place, "outside")];
  for (const path of [out, outside]) mkdirSync(path);
  symlinkSync(outside, join(out, "sub"));
  const stderr = new PassThrough();
  const runs = { streamArtifact: async () => Readable.from(["text"]) } as unknown as Dock["runs"];
  const names = ["sub/authorized_keys", "own/a.txt"];
  const artifacts = names.map((name) => ({ id: name, name, mime: "text/plain", size: 4 }) as ArtifactRef);
  const saved = await showPictures(createTerminal(new PassThrough(), stderr), { runs }, artifacts, out);
  expect(saved).toEqual([{ name: "own/a.txt", file: join(out, "own/a.txt") }]);
  expect([readdirSync(outside), readdirSync(out)]).toEqual([[], ["own", "sub"]]);
  expect(String(stderr.read())).toContain(`${out}/sub is a link`);
});
