import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Entry, makeArchive, makeArchives } from "../../testing/make-archive.ts";
import { unpackArchive } from "./unpack-archive.ts";

const makeTar = (entries: Entry[], format?: "gnu" | "pax") => makeArchive({ kind: "tar.gz", format, entries });
const makeZip = (entries: Entry[]) => makeArchive({ kind: "zip", entries });
const LONG = `${"deep/".repeat(30)}${"n".repeat(90)}.txt`;
const PLAIN: Entry[] = [
  { name: "package/", type: "dir", mode: 0o755 },
  { name: "package/a.txt", content: "one\n" },
  { name: "./package/tools/run", content: "#!/bin/sh\n", mode: 0o755 },
  { name: `package/${LONG}`, content: "long" },
  { name: "package/ünï.txt", content: "" },
];

describe("an archive", () => {
  it.each(["gnu", "pax"] as const)(
    "of tar's %s kind is unpacked with its executable bits and long names",
    async (kind) => {
      const files = await unpackArchive(makeTar(PLAIN, kind), "tar.gz");
      expect(files.map(({ path, executable, content }) => [path, executable, content.toString()])).toEqual([
        ["package/a.txt", false, "one\n"],
        ["package/tools/run", true, "#!/bin/sh\n"],
        [`package/${LONG}`, false, "long"],
        ["package/ünï.txt", false, ""],
      ]);
    },
  );

  it.each([false, true])("of zip's kind is unpacked (written into a pipe: %s)", async (isStreamed) => {
    const entries = PLAIN.map((entry) => ({ ...entry, name: entry.name.replace("./", "") }));
    const files = await unpackArchive(makeArchive({ kind: "zip", isStreamed, entries }), "zip");
    expect(files.map(({ path, executable }) => [path, executable])).toContainEqual(["package/tools/run", true]);
    expect(files).toHaveLength(4);
  });

  const hostile: [what: string, entries: Entry[], expected: RegExp][] = [
    ["a path upwards", [{ name: "a/../../x" }], /leads upwards/],
    ["an absolute path", [{ name: "/etc/x" }], /absolute/],
    ["a path with a backslash", [{ name: "a\\..\\x" }], /can't be shown/],
    ["a name with a line break", [{ name: "a\nb" }], /can't be shown/],
    ["a name that turns the text around", [{ name: "a\u202egpj.sh" }], /can't be shown/],
    ["a drive", [{ name: "C:/x" }], /absolute/],
    ["one file twice", [{ name: "a" }, { name: "./a" }], /twice/],
    ["a file that is a folder too", [{ name: "a" }, { name: "a/b" }], /both a file and a folder/],
    ["names that differ in their case", [{ name: "a/X" }, { name: "A/x" }], /only in its case/],
    ["a symbolic link", [{ name: "a", type: "sym", target: "/etc/passwd", content: "/etc/passwd" }], /symbolic link/],
    ["a harmless link", [{ name: "b" }, { name: "a", type: "sym", target: "b", content: "b" }], /symbolic link/],
  ];

  it.each(["tar.gz", "zip"] as const)(
    "(%s) with anything that could lead out of its place is refused",
    async (kind) => {
      const archives = makeArchives(hostile.map(([, entries]) => ({ kind, entries })));
      for (const [index, [what, , expected]] of hostile.entries()) {
        await expect(unpackArchive(archives[index] ?? Buffer.alloc(0), kind), what).rejects.toMatchObject({
          code: "extension.invalid",
          message: expect.stringMatching(expected),
        });
      }
    },
  );

  it("with an entry that is no plain file is refused", async () => {
    const types = ["lnk", "fifo", "chr"];
    const archives = makeArchives(
      types.map((type) => ({
        kind: "tar.gz",
        entries: [
          { name: "a", content: "x" },
          { name: "b", type, target: "a" },
        ],
      })),
    );
    expect(archives).toHaveLength(3);
    for (const archive of archives)
      await expect(unpackArchive(archive, "tar.gz")).rejects.toThrow(/hard link|named pipe|device/);
  });

  it("that becomes too large is refused before it is in memory", async () => {
    const bomb = gzipSync(Buffer.alloc(100 * 1024 * 1024));
    await expect(unpackArchive(bomb, "tar.gz")).rejects.toThrow(/more than 64 MB/);
  });

  it("that is packed better than any program can be is refused", async () => {
    const entries = [{ name: "a", content: "x".repeat(5 * 1024 * 1024) }];
    await expect(unpackArchive(makeTar(entries), "tar.gz")).rejects.toThrow(/times as large/);
    await expect(unpackArchive(makeZip(entries), "zip")).rejects.toThrow(/times as large/);
  });

  it("of too many files is refused", async () => {
    const entries = Array.from({ length: 10_001 }, (_, index) => ({ name: `f${index}` }));
    await expect(unpackArchive(makeTar(entries), "tar.gz")).rejects.toThrow(/more than 10000 entries/);
  });

  it("of zip's kind that says less than it holds, or other names, is refused", async () => {
    const archive = makeZip([{ name: "abcd.txt", content: "x".repeat(5000) }]);
    const lying = Buffer.from(archive);
    const central = lying.indexOf(Buffer.from("PK\x01\x02"));
    lying.writeUInt32LE(10, central + 24);
    await expect(unpackArchive(lying, "zip")).rejects.toThrow(/larger than it says/);
    const renamed = Buffer.from(archive);
    renamed.write("evil.txt", central + 46);
    await expect(unpackArchive(renamed, "zip")).rejects.toThrow(/two names/);
    const changed = Buffer.from(archive);
    changed.writeUInt32LE(1, central + 16);
    await expect(unpackArchive(changed, "zip")).rejects.toThrow(/damaged/);
  });

  it("that is damaged anywhere is unpacked as it was or refused in words, never anything else", async () => {
    const archives = [
      { kind: "tar" as const, bytes: makeArchive({ kind: "tar", entries: PLAIN }) },
      {
        kind: "zip" as const,
        bytes: makeZip([
          { name: "a/b", content: "hello" },
          { name: "c", content: "x" },
        ]),
      },
    ];
    for (const { kind, bytes } of archives) {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 }),
          fc.nat(bytes.length),
          async (edits, cut) => {
            const damaged = Buffer.from(cut % 3 === 0 ? bytes.subarray(0, cut) : bytes);
            for (const [at, value] of edits) if (at < damaged.length) damaged[at] = value;
            try {
              for (const { path } of await unpackArchive(damaged, kind)) {
                expect(path.startsWith("/") || path.split("/").includes("..")).toBe(false);
              }
            } catch (error) {
              expect(error).toMatchObject({ code: "extension.invalid" });
            }
          },
        ),
        { numRuns: 300 },
      );
    }
  });
});
