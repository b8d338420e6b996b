import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { useTemporaryDirectory } from "../../base/testing/temporary-directory.ts";
import { runCli, runJson } from "./testing/run-cli.ts";
import { useHome } from "./testing/use-home.ts";

const home = useHome();
const directory = useTemporaryDirectory();
const folder = () => join(directory, "csv-report");

beforeAll(() => {
  mkdirSync(folder(), { recursive: true });
  const text = "---\nname: csv-report\ndescription: Sums up \u001b[31mcolumns.\nversion: 2\n---\nRun report.py.\n";
  writeFileSync(join(folder(), "SKILL.md"), text);
});

it("adds a skill, lists and shows it, grants it to an agent, and removes it", async () => {
  expect((await runCli("skill", "list")).stdout).toContain("No skills");
  const added = await runCli("skill", "add", folder());
  expect(added).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^The skill csv-report is added \([0-9a-f]{12}\)/),
  });
  expect(await runCli("skill", "add", folder())).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("already"),
  });
  const listed = (await runCli("skill", "list")).stdout;
  expect(listed).toMatch(/csv-report +2 +installed +[0-9a-f]{12}/);
  expect(listed).not.toContain("\u001b[31m");
  expect((await runCli("skill", "show", "csv-report")).stdout).toContain("\n\nRun report.py.\n");
  expect((await runJson("skill", "list")).value).toMatchObject({ skills: [{ name: "csv-report", problem: null }] });

  const made = await runCli(
    "agent",
    "new",
    "helper",
    "--runner",
    "local-agent",
    "--tool",
    "activate",
    "--skill",
    "csv-report",
  );
  expect(made.status).toBe(0);
  expect(await runCli("agent", "edit", "helper", "--skill", "csv-reports")).toMatchObject({
    stderr: expect.stringContaining("There is no skill csv-reports"),
  });
  expect(await runCli("agent", "edit", "helper", "--box", '{"scope": "{user}"}')).toMatchObject({
    stderr: expect.stringContaining("{user} is no part of a scope"),
  });
  expect((await runCli("agent", "edit", "helper", "--box", '{"scope": "{thread}"}')).status).toBe(0);
  writeFileSync(join(home(), "config.yaml"), "boxes: { scope: '{actor}' }\n");
  const shown = (await runCli("agent", "show", "helper")).stdout;
  expect(shown).toContain("  skills:   csv-report\n  box:      {actor} (forced by config.yaml in place of {thread})\n");
  expect((await runCli("skill", "remove", "csv-report")).stdout).toBe(
    "The skill csv-report is removed. It is still granted to helper: `drydock agent edit NAME --grants JSON`.\n",
  );
  expect((await runCli("skill", "show", "csv-report")).status).toBe(2);
});
