import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { runCli, runJson } from "./testing/run-cli.ts";
import { useHome } from "./testing/use-home.ts";

const home = useHome();
let runId: string;

beforeAll(async () => {
  runId = String((await runJson("exec", "-c", "print('<b>hello</b>')")).value.runId);
});

describe("drydock runs report", () => {
  it("prints one page to a pipe", async () => {
    const { status, stdout, stderr } = await runCli("runs", "report", runId.slice(0, -2));
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(/^<!doctype html>\n/);
    expect(stdout).toContain("&lt;b&gt;hello&lt;/b&gt;");
    expect(stdout.match(/<html/g)).toHaveLength(1);
  });

  it("writes it to a file that only its owner reads", async () => {
    const file = join(home(), "report.html");
    const { status, value } = await runJson("runs", "report", runId, "--out", file);
    expect(status).toBe(0);
    expect(value).toEqual({ runId, file, bytes: statSync(file).size, directory: null });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "utf8")).toContain(runId);
  });

  it("writes the readable directory as well where it is asked to", async () => {
    const directory = join(home(), "records");
    const file = join(home(), "other.html");
    const { stdout } = await runCli("runs", "report", runId, "--out", file, "--directory", directory);
    expect(stdout).toBe(`${file}\n`);
    const events = readFileSync(join(directory, "events.jsonl"), "utf8").trim().split("\n");
    expect(JSON.parse(events.at(-1) ?? "")).toMatchObject({ runId, type: "run.succeeded" });
    expect(JSON.parse(readFileSync(join(directory, "snapshot.json"), "utf8"))).toMatchObject({
      runId,
      status: "succeeded",
    });
  });

  it("writes the checks of a run in the formats of other tools", async () => {
    const xml = await runCli("runs", "report", runId, "--format", "junit");
    expect(xml.stdout).toContain('<error type="unverified" message="No check judged the result."/>');
    const file = join(home(), "run.sarif");
    const { value } = await runJson("runs", "report", runId, "--format", "sarif", "--out", file);
    expect(value).toMatchObject({ runId, file });
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ version: "2.1.0", runs: [{}] });
    expect((await runCli("runs", "report", runId, "--format", "pdf")).status).toBe(2);
  });

  it("says what is wrong: a run that is not there, a file that can't be written", async () => {
    expect(await runJson("runs", "report", "run_zzz")).toMatchObject({
      status: 2,
      value: { error: { code: "run.not_found" } },
    });
    expect(await runJson("runs", "report", runId, "--out", "/nowhere/a.html")).toMatchObject({
      status: 2,
      value: { error: { code: "input.invalid", hint: "Give another place with --out." } },
    });
  });
});
