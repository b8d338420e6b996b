import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { runCli, runJson } from "./testing/run-cli.ts";
import { useHome } from "./testing/use-home.ts";

useHome();
const workspace = mkdtempSync(join(tmpdir(), "drydock-list-"));
afterAll(() => rmSync(workspace, { recursive: true, force: true }));

const ids = async (...args: string[]) =>
  ((await runJson("runs", "list", ...args)).value.runs as { id: string }[]).map(({ id }) => id);

it("knows no last run where nothing ran", async () => {
  expect(await runJson("runs", "show", "last")).toMatchObject({
    status: 2,
    value: { error: { code: "run.not_found" } },
  });
});

it("filters by kind and workspace, and takes `last` and the end of an id", async () => {
  await runCli("exec", "-c", "print(1)");
  await runCli("exec", "--workspace", workspace, "-c", "print(2)");
  const [second = "", first = ""] = await ids();
  expect(await ids("--workspace", workspace)).toEqual([second]);
  expect(await ids("--kind", "goal")).toEqual([]);
  expect(await ids("--kind", "exec")).toEqual([second, first]);
  expect((await runJson("runs", "show", "last")).value.id).toBe(second);
  expect((await runJson("runs", "show", first.slice(-8))).value.id).toBe(first);
  const { stdout } = await runCli("runs", "list");
  const shown = stdout
    .split("\n")
    .slice(1, 3)
    .map((line) => line.split(" ")[0]);
  expect(shown).toEqual([second.slice(-8), first.slice(-8)]);
});

it("says how the list goes on, with the filters that were given, as a shell reads them", async () => {
  const place = join(workspace, "it's here");
  mkdirSync(place);
  for (const code of ["1", "2"]) await runCli("exec", "--workspace", place, "-c", code);
  await runCli("exec", "-c", "print(3)");
  const filters = ["--limit", "1", "--status", "succeeded", "--kind", "exec", "--workspace", place];
  const { stderr } = await runCli("runs", "list", ...filters);
  const quoted = `'${workspace}/it'\\''s here'`;
  const line = `more: drydock runs list --limit 1 --status succeeded --kind exec --workspace ${quoted} --cursor `;
  expect(stderr.slice(0, line.length)).toBe(line);
  const rest = await ids(...filters, "--cursor", stderr.slice(line.length).trim());
  expect(rest).toEqual([(await ids("--workspace", place))[1]]);
});
