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

it("repeats what was typed where no run has such an id, and says what ids look like", async () => {
  const { status, stderr } = await runCli("runs", "show", "nonsense");
  expect(status).toBe(2);
  expect(stderr).toContain('There is no run whose id is "nonsense"');
  expect(stderr).not.toContain("run_nonsense");
  expect(stderr).toMatch(/drydock runs list.*`run_` and 26 letters and digits/s);
  const followed = await runJson("run", "--follow", "last", "more", "--workspace", workspace);
  expect(followed).toMatchObject({ status: 2, value: { error: { code: "run.not_found" } } });
});

it("refuses a limit that no list can have, instead of listing something else", async () => {
  for (const limit of ["0", "1001"]) {
    for (const command of [["runs"], ["audit"]]) {
      const { status, stderr } = await runCli(...command, "list", "--limit", limit);
      expect([status, stderr]).toEqual([2, expect.stringContaining("It must be a whole number from 1 to 1000.")]);
    }
  }
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

it("filters by verdict", async () => {
  await runCli("exec", "-c", "print(1)");
  const check = ["verify", "--workspace", workspace, "--check"];
  await runCli(...check, "false");
  const [failed] = await ids("--verdict", "failed");
  expect((await runJson("runs", "show", failed ?? "")).value).toMatchObject({ kind: "verify", verdict: "failed" });
  expect(await ids("--verdict", "failed", "--kind", "exec")).toEqual([]);
  expect(await ids("--verdict", "unverified")).not.toContain(failed);
  expect((await runCli("runs", "list", "--verdict", "good")).status).toBe(2);
});
