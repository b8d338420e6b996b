import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { useTemporaryDirectory } from "../../base/testing/temporary-directory.ts";
import { runCli, runJson } from "./testing/run-cli.ts";
import { useHome } from "./testing/use-home.ts";

useHome();
const directory = useTemporaryDirectory();
const folder = () => join(directory, "docs");
const write = (name: string, content: string) => writeFileSync(join(folder(), name), content);

beforeAll(() => {
  mkdirSync(folder(), { recursive: true });
  write("limits.md", "# Limits\n\n## Memory\n\nThe default is 512 MB.\n");
  write("fruit.csv", "name,price\napple,3\npear,5\n");
});

it("adds a folder, searches it, shows and removes it", async () => {
  expect(await runCli("kb", "list")).toMatchObject({ stdout: expect.stringContaining("No knowledge bases") });
  const added = await runCli("kb", "add", "handbook", folder());
  expect(added).toMatchObject({ status: 0, stdout: "handbook: 2 added, 0 changed, 0 unchanged, 0 removed.\n" });
  const found = await runCli("kb", "search", "handbook", "memory default");
  expect(found.stdout).toBe("docs/limits.md (line 3, Limits > Memory)\n  ## Memory The default is 512 MB.\n");
  expect((await runCli("kb", "search", "handbook", "pear", "--format", "csv")).stdout).toContain("(rows 1-2)");
  expect((await runCli("kb", "search", "handbook", "zebra")).stdout).toBe("Nothing found.\n");
  const { value } = await runJson("kb", "search", "handbook", "memory", "--limit", "1");
  expect(value).toMatchObject({ hits: [{ source: "docs/limits.md", position: { line: 3 } }], ranking: ["words"] });
  expect((await runCli("kb", "list")).stdout).toMatch(/handbook +2 +\d+ +0 +none/);
});

it("names files that can't be read, with exit status 1, and reads the rest", async () => {
  write("broken.pdf", "no");
  write("\x1b[31mred.md", "a coloured name");
  const { status, stdout } = await runCli("kb", "refresh", "handbook");
  expect(status).toBe(1);
  expect(stdout).toContain(
    "1 added, 0 changed, 2 unchanged, 0 removed, 1 failed.\n  docs/broken.pdf: The file is no PDF",
  );
  const shown = (await runCli("kb", "show", "handbook")).stdout;
  expect(shown).toContain("docs/broken.pdf  The file is no PDF");
  // What a document is called, or says, does not drive the terminal.
  expect([shown.includes("\x1b[31m"), shown.includes("\\x1b[31mred.md")]).toEqual([false, true]);
  const found = await runCli("kb", "search", "handbook", "coloured");
  expect(found.stdout).not.toContain("\x1b");
});

it("an agent is granted knowledge bases, and files for its settings", async () => {
  const plugin = join(import.meta.dirname, "../../../test/knowledge/plugins/caller");
  expect((await runCli("plugin", "add", plugin, "--yes")).status).toBe(0);
  const words = ["agent", "new", "helper", "--runner", "plugin:test/caller/all", "--knowledge", "handbook"];
  const made = await runJson(...words, "--file", `template=${join(folder(), "limits.md")}`);
  expect(made).toMatchObject({
    status: 0,
    value: {
      grants: { knowledge: ["handbook"] },
      config: {
        template: { file_key: expect.stringMatching(/^file_/), file_name: "limits.md", mime_type: "text/markdown" },
      },
    },
  });
  expect((await runCli("agent", "show", "helper")).stdout).toContain("searches: handbook");
  for (const wrong of [
    ["--knowledge", "handbok"],
    ["--file", "template"],
    ["--file", "template=/nowhere"],
  ])
    expect((await runCli(...words.with(2, "other"), ...wrong)).status).toBe(2);
});

it("says what is wrong, with code and hint", async () => {
  expect(await runJson("kb", "search", "none", "x")).toMatchObject({
    ...{ status: 2, value: { error: { code: "knowledge.not_found", hint: expect.stringContaining("kb list") } } },
  });
  expect(await runJson("kb", "add", "Bad Name", folder())).toMatchObject({ status: 2 });
  expect(await runJson("kb", "add", "x", "/nowhere")).toMatchObject({
    status: 2,
    value: { error: { code: "input.invalid" } },
  });
  expect(await runJson("kb", "search", "handbook", "x", "--limit", "0")).toMatchObject({ status: 2 });
  expect((await runCli("kb", "remove", "handbook", "--path", folder())).stdout).toContain("is removed");
  expect((await runCli("kb", "remove", "handbook", "--path", "limits.md")).stderr).toContain("as it was added");
  expect(await runCli("kb", "remove", "handbook")).toMatchObject({
    stdout: "The knowledge base handbook is removed.\n",
    stderr: expect.stringContaining("The agent helper still names it"),
  });
  expect((await runCli("agent", "show", "helper")).stdout).toContain("searches: handbook (removed)");
});
