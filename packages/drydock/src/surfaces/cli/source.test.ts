import { expect, it } from "vitest";
import { runCli, runJson } from "./testing/run-cli.ts";
import { useHome } from "./testing/use-home.ts";

useHome();
const out = async (...argv: string[]) => (await runCli(...argv)).stdout;

it("shows what types there are, and the settings of one with their defaults", async () => {
  expect(await out("source", "types")).toMatch(/^schedule +Fires .*\n[\s\S]*^webhook +Takes signed requests/m);
  const shown = await out("source", "types", "schedule");
  expect(shown).toMatch(/--set cron=… \(required\)\n +When it fires/);
  expect(shown).toContain("--set timezone=… (default: UTC)");
});

it("adds a source, shows it, changes it, switches it off and on, tries it and removes it", async () => {
  expect(await out("source", "list")).toContain("No sources.");
  const add = ["source", "add", "nightly", "--type", "schedule"];
  expect(await out(...add, "--set", "cron=0 3 * * *", "--set", "text=a=b", "--disabled")).toMatch(
    /The source nightly is added\. Bind an agent: .*--value nightly/,
  );
  expect(await out("source", "enable", "nightly")).toBe("The source nightly is enabled.\n");
  await runCli("source", "edit", "nightly", "--set", "timezone=Asia/Tokyo", "--unset", "text");
  const { value } = await runJson("source", "show", "nightly");
  expect(value).toMatchObject({
    ...{ enabled: true, address: null, status: { state: "stopped" } },
    settings: { cron: "0 3 * * *", timezone: "Asia/Tokyo" },
  });
  expect(value.settings).not.toHaveProperty("text");
  expect(await out("source", "show", "nightly")).toMatch(
    /timezone: +Asia\/Tokyo\n[\s\S]*state: +stopped\n +hint: +no server runs it/,
  );
  expect(await out("source", "test", "nightly")).toMatch(/^ok: It fired once: evt_\w+ was unbound\. The next time is /);
  expect(await out("source", "disable", "nightly")).toBe("The source nightly is disabled.\n");
  expect(await out("source", "list")).toMatch(/nightly +schedule +disabled +0/);
  await runCli("source", "remove", "nightly");
  expect((await runCli("source", "show", "nightly")).status).toBe(2);
});

it("refuses what is wrong, and repeats no secret that stands in the wrong place", async () => {
  const add = (...flags: string[]) => runCli("source", "add", "hook", "--type", "webhook", ...flags);
  for (const flags of [
    ["--set", "secret=hunter2-hunter2"],
    ["--secret", "secret=hunter2-hunter2"],
    ["--secret", "hunter2-hunter2"],
  ]) {
    const { status, stderr } = await add(...flags);
    expect(status).toBe(2);
    expect(stderr).not.toContain("hunter2");
  }
  expect((await add("--secret", "secret=NOT_STORED")).stderr).toContain("drydock secret set NOT_STORED");
});
