import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";
import { makePdf } from "./testing/make-pdf.ts";

const t = openTestDock({ warm: 0 });

const FILES = {
  "docs/limits.md":
    "# Limits\n\nA run has 300 seconds.\n\n```\n# no heading\n```\n\n## Memory\n\nThe default is 512 MB of memory.\n",
  "docs/sub/fruit.csv": 'name;price\napple;3\n"pear; green";5\n',
  "docs/page.html":
    "<title>Ports</title><script>attack()</script><h1>Harbour</h1><p>It opens <b>port</b> 8000.</p><p hidden>unseen</p>",
  "docs/notes.txt": "First line.\nThe second line mentions a lighthouse.\n",
  "docs/.secret.md": "hidden by its name",
  "docs/node_modules/x/readme.md": "a package",
  "docs/picture.png": "no document",
};

const makeFolder = (files: Record<string, string> = FILES) => join(t.makeWorkspace(files), "docs");
const find = async (name: string, query: string) => (await t.dock.knowledge.search(name, query)).hits;

it("reads each format, and says where a passage stands", async () => {
  const folder = makeFolder();
  writeFileSync(join(folder, "manual.pdf"), makePdf(["Page one", "Turn the crane slowly"]));
  const report = await t.dock.knowledge.add("formats", [folder]);
  expect(report).toMatchObject({ added: 5, changed: 0, unchanged: 0, removed: 0, failed: 0, skipped: 3 });
  const [memory] = await find("formats", "default memory");
  expect(memory).toMatchObject({ source: "docs/limits.md", position: { heading: "Limits > Memory", line: 9 } });
  const text = FILES["docs/limits.md"];
  expect(text.slice(memory?.position.start, memory?.position.end)).toBe(memory?.text);
  expect(await find("formats", "crane")).toMatchObject([{ source: "docs/manual.pdf", position: { page: 2 } }]);
  expect(await find("formats", "port 8000")).toMatchObject([
    { source: "docs/page.html", position: { heading: "Harbour" }, text: expect.stringContaining("opens port 8000") },
  ]);
  expect(await find("formats", "pear")).toMatchObject([
    {
      source: "docs/sub/fruit.csv",
      position: { rows: [1, 2] },
      text: "name: apple; price: 3\nname: pear; green; price: 5",
    },
  ]);
  expect(await find("formats", "lighthouse")).toMatchObject([{ source: "docs/notes.txt", position: { line: 1 } }]);
  for (const word of ["attack", "unseen", "package", "hidden"]) expect(await find("formats", word)).toEqual([]);
});

it("reads again only what has changed, and forgets what is gone", async () => {
  const folder = makeFolder();
  await t.dock.knowledge.add("changes", [folder]);
  expect(await t.dock.knowledge.refresh("changes")).toMatchObject({ added: 0, changed: 0, unchanged: 4, removed: 0 });
  writeFileSync(join(folder, "notes.txt"), "Now it mentions a windmill.");
  writeFileSync(join(folder, "new.txt"), "A tugboat.");
  rmSync(join(folder, "page.html"));
  expect(await t.dock.knowledge.add("changes", [folder])).toMatchObject({
    ...{ added: 1, changed: 1, unchanged: 2, removed: 1, failed: 0 },
  });
  expect(await find("changes", "lighthouse")).toEqual([]);
  expect(await find("changes", "port 8000")).toEqual([]);
  expect(await find("changes", "windmill tugboat")).toHaveLength(2);
  rmSync(folder, { recursive: true });
  expect(await t.dock.knowledge.refresh("changes")).toMatchObject({ removed: 4 });
  expect(await t.dock.knowledge.show("changes")).toMatchObject({ documents: 0, chunks: 0, items: [] });
});

it("names each file that can't be read, with the reason, and reads the others", async () => {
  const folder = makeFolder({ "docs/good.md": "a good document" });
  const write = (name: string, content: string | Buffer) => writeFileSync(join(folder, name), content);
  write("fake.pdf", "not a pdf");
  write("broken.pdf", "%PDF-1.7 and nothing else");
  write("empty.md", "");
  write("blank.txt", "  \n\n");
  write("binary.md", Buffer.from([1, 2, 0, 255, 254, 0]));
  write("latin.txt", Buffer.from("Größe", "latin1"));
  write("scan.pdf", makePdf([""]));
  write("zero.csv", Buffer.from("a,b\0c\n"));
  write("huge.txt", "");
  // 200 MB that are on no disk: it must be refused by its size.
  truncateSync(join(folder, "huge.txt"), 200 * 1024 * 1024);
  write("utf16.txt", Buffer.from("\ufeffdistant buoy", "utf16le"));
  const report = await t.dock.knowledge.add("broken", [folder]);
  expect(report).toMatchObject({ added: 2, failed: 9 });
  const reasons = Object.fromEntries(report.failures.map(({ source, error }) => [source, error.message]));
  expect(reasons).toMatchObject({
    "docs/fake.pdf": expect.stringContaining("is no PDF"),
    "docs/broken.pdf": expect.stringContaining("can't be read"),
    "docs/empty.md": "The file is empty.",
    "docs/blank.txt": "The file is empty.",
    "docs/binary.md": expect.stringContaining("is binary"),
    "docs/latin.txt": expect.stringContaining("not text in UTF-8"),
    "docs/scan.pdf": "The document has no text.",
    "docs/zero.csv": expect.stringContaining("is binary"),
    "docs/huge.txt": expect.stringContaining("more than 50 MB"),
  });
  for (const { error } of report.failures) expect(error.hint).not.toBe("");
  expect(await find("broken", "buoy")).toHaveLength(1);
  const { failed, items } = await t.dock.knowledge.show("broken", { limit: 20 });
  expect([failed, items.filter(({ problem }) => problem).length]).toEqual([9, 9]);
  // What is mended is read.
  write("fake.pdf", makePdf(["mended"]));
  expect(await t.dock.knowledge.refresh("broken")).toMatchObject({ changed: 1, unchanged: 2, failed: 8 });
});

it("follows no link out of a folder, and takes nothing that the policy hides", async () => {
  const outside = join(t.directory, "outside");
  mkdirSync(outside, { recursive: true });
  writeFileSync(join(outside, "private.md"), "the treasure map");
  const folder = makeFolder({ "docs/good.md": "a good document", "docs/id_rsa.txt": "the treasure key" });
  symlinkSync(join(outside, "private.md"), join(folder, "link.md"));
  symlinkSync(outside, join(folder, "folder"));
  expect(await t.dock.knowledge.add("links", [folder])).toMatchObject({ added: 1, skipped: 3, failed: 0 });
  expect(await find("links", "treasure")).toEqual([]);
});

it("refuses paths that are not there, Drydock's own directories, and names that are none", async () => {
  const { knowledge } = t.dock;
  const wrong = { code: "input.invalid" };
  await expect(knowledge.add("x", [join(t.directory, "nothing")])).rejects.toMatchObject(wrong);
  await expect(knowledge.add("x", [t.home])).rejects.toMatchObject(wrong);
  await expect(knowledge.add("../x", [t.directory])).rejects.toMatchObject(wrong);
  await expect(knowledge.add("x", [])).rejects.toMatchObject(wrong);
  await expect(knowledge.search("nothing", "x")).rejects.toMatchObject({ code: "knowledge.not_found" });
  expect((await knowledge.list()).map(({ name }) => name)).not.toContain("x");
});

it("two folders of one name stay apart; one can be removed, or the whole base", async () => {
  const [first, second] = [makeFolder({ "docs/a.md": "alpha" }), makeFolder({ "docs/a.md": "beta" })];
  await t.dock.knowledge.add("twins", [first, second]);
  expect(await find("twins", "beta")).toMatchObject([{ source: "docs-2/a.md" }]);
  await t.dock.knowledge.remove("twins", { path: first });
  expect([await find("twins", "alpha"), (await find("twins", "beta")).length]).toEqual([[], 1]);
  await t.dock.knowledge.remove("twins");
  await expect(t.dock.knowledge.show("twins")).rejects.toMatchObject({ code: "knowledge.not_found" });
});

it("a secret in a document is not stored", async () => {
  const key = `sk-proj-${"a1B2".repeat(12)}`;
  const folder = makeFolder({ "docs/keys.md": `${"filler ".repeat(170)}the lantern key is ${key} for all` });
  await t.dock.knowledge.add("secrets", [folder]);
  const hits = await find("secrets", "lantern key");
  expect(hits).not.toEqual([]);
  expect(JSON.stringify(hits)).not.toContain("a1B2a1B2");
});
