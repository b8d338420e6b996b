import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
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

test("a file of that name stays, and the new one gets a number", async () => {
  const out = makeTemporaryDirectory();
  writeFileSync(join(out, "figure-1.png"), "earlier");
  mkdirSync(join(out, "figure-1-2.png"));
  const runs = { streamArtifact: async () => Readable.from(["new"]) } as unknown as Dock["runs"];
  const artifacts = ["figure-1.png", "figure-1.png"].map(
    (name, at) => ({ id: `${at}`, name, mime: "text/plain", size: 3 }) as ArtifactRef,
  );
  const saved = await showPictures(createTerminal(new PassThrough(), new PassThrough()), { runs }, artifacts, out);
  expect(saved.map(({ file }) => file)).toEqual([join(out, "figure-1-3.png"), join(out, "figure-1-4.png")]);
  expect(readFileSync(join(out, "figure-1.png"), "utf8")).toBe("earlier");
});
