import { expect, it } from "vitest";
import { paxRecord, rawTarEntry, rawZip, TAR_END } from "../../testing/make-raw-archive.ts";
import { unpackArchive } from "./unpack-archive.ts";

const FILE = rawTarEntry({ name: "a", content: "hello" });
const pax = (key: string, value: string, type = "x") => rawTarEntry({ type, content: paxRecord(key, value) });
const NEGATIVE = Buffer.alloc(12, 0xff);
const HUGE = Buffer.from([0x80, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);
const TEXT = "x".repeat(5000);

it("made of raw headers is unpacked where they are right", async () => {
  const tar = Buffer.concat([pax("path", "dir/b"), FILE, TAR_END, Buffer.alloc(9000)]);
  expect(await unpackArchive(tar, "tar")).toMatchObject([{ path: "dir/b", content: Buffer.from("hello") }]);
  const zip = rawZip([
    { name: "a", content: TEXT },
    { name: "b", content: "" },
  ]);
  expect(await unpackArchive(zip, "zip")).toMatchObject([{ path: "a", content: Buffer.from(TEXT) }, { path: "b" }]);
});

// Readers of tar archives read each of these, and not all of them the same files.
it.each<[what: string, parts: Buffer[], expected: RegExp]>([
  ["a size in two versions", [pax("size", "5000"), FILE, TAR_END], /header \(size\)/],
  ["a target for a plain file", [pax("linkpath", "/etc/passwd"), FILE, TAR_END], /header \(linkpath\)/],
  ["a sparse file's name", [pax("GNU.sparse.name", "evil"), FILE, TAR_END], /header \(GNU\.sparse\.name\)/],
  ["one name for all files", [pax("path", "evil", "g"), FILE, TAR_END], /names all files alike/],
  [
    "two names for one file",
    [rawTarEntry({ type: "L", content: "long" }), pax("path", "other"), FILE, TAR_END],
    /names a file twice/,
  ],
  ["a name that ends early", [pax("path", "a\0b"), FILE, TAR_END], /NUL byte/],
  ["a name of 100 kB", [rawTarEntry({ type: "L", content: "n".repeat(100_000) }), FILE, TAR_END], /too long/],
  ["a record without length", [rawTarEntry({ type: "x", content: " path=evil\n" }), FILE, TAR_END], /can't be read/],
  ["a record of negative length", [rawTarEntry({ type: "x", content: "-5 path=b\n" }), FILE, TAR_END], /can't be read/],
  ["a negative size", [rawTarEntry({ sizeField: NEGATIVE }), TAR_END], /can't be read/],
  ["a size of 2^63", [rawTarEntry({ sizeField: HUGE }), TAR_END], /can't be read/],
  ["a size of 8 GB", [rawTarEntry({ sizeField: Buffer.from("77777777777\0") }), TAR_END], /middle of a file/],
  ["a wrong check sum", [rawTarEntry({ checkSum: 1 }), TAR_END], /damaged/],
  ["a kind that nobody knows", [rawTarEntry({ type: "Z" }), TAR_END], /no plain file/],
  ["no end", [FILE], /end is missing/],
  ["files after its end", [FILE, TAR_END, rawTarEntry({ name: "hidden", content: "x" }), TAR_END], /follows its end/],
])("a tar archive with %s is refused", async (_what, parts, expected) => {
  await expect(unpackArchive(Buffer.concat(parts), "tar")).rejects.toMatchObject({
    code: "extension.invalid",
    message: expect.stringMatching(expected),
  });
});

it.each<[what: string, archive: Buffer, expected: RegExp]>([
  ["two names for one file", rawZip([{ name: "good", localName: "evil", content: TEXT }]), /two names/],
  [
    "data that two entries share",
    rawZip([
      { name: "a", content: TEXT },
      { name: "a", content: TEXT, offset: 0 },
    ]),
    /overlaps/,
  ],
  ["an entry outside", rawZip([{ name: "a", content: "x", offset: 0xfffffff0 }]), /missing/],
  ["less than it holds", rawZip([{ name: "a", content: TEXT, size: 10 }]), /larger than it says/],
  ["a size of 3 GB", rawZip([{ name: "a", content: TEXT, size: 3e9 }]), /more than 64 MB/],
  ["a name of 60 kB", rawZip([{ name: "n".repeat(60_000), content: "x" }]), /of more than 1024 characters/],
  ["a program before it", rawZip([{ name: "a", content: "x", before: Buffer.from("#!/bin/sh\n") }]), /not part of it/],
  [
    "an entry that its table of contents leaves out",
    rawZip([
      { name: "a", content: "x" },
      { name: "b", content: "y", before: rawZip([{ name: "hidden", content: "z" }]).subarray(0, 39) },
    ]),
    /not part of it/,
  ],
])("a zip archive with %s is refused", async (_what, archive, expected) => {
  await expect(unpackArchive(archive, "zip")).rejects.toMatchObject({
    code: "extension.invalid",
    message: expect.stringMatching(expected),
  });
});

it("a name of any length is told in a message that can be read", async () => {
  const archive = rawZip([{ name: "n".repeat(60_000), content: "x" }]);
  const error = await unpackArchive(archive, "zip").catch((reason: unknown) => reason);
  expect(error).toMatchObject({ message: expect.stringMatching(/^.{50,400}$/) });
});
