import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli, runJson } from "./testing/run-cli.ts";
import { useHome } from "./testing/use-home.ts";

useHome();
let place = "";
let flags: string[] = [];
const SOURCE = "def clamp(x, low, high):\n    if x < low:\n        return low\n    return min(x, high)\n";

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "drydock-strength-cli-"));
  const work = join(place, "work");
  await mkdir(work);
  await writeFile(join(work, "clamp.py"), SOURCE);
  await writeFile(
    join(work, "test_clamp.py"),
    "from clamp import clamp\n\ndef test_low():\n    assert clamp(1, 2, 3) == 2\n",
  );
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], { cwd: work });
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "start");
  await writeFile(join(work, "clamp.py"), `${SOURCE}\n\ndef double(x):\n    return x + x\n`);
  const checks = [
    { type: "file_exists", path: "clamp.py" },
    { type: "command", cmd: "pytest -q" },
  ];
  await writeFile(join(place, "checks.json"), JSON.stringify({ checks }));
  flags = ["verify", "--checks", join(place, "checks.json"), "--workspace", work];
});
afterAll(() => rm(place, { recursive: true, force: true }));

describe("drydock verify --strength", () => {
  it("shows the share of mutants that the checks notice, and each that they don't as a diff", async () => {
    const { status, stdout, stderr } = await runCli(...flags, "--strength");
    expect(status).toBe(0);
    expect(stdout).toContain("passed: 2 of 2 checks");
    expect(stdout).toContain("survived clamp.py:8 arithmetic\n");
    expect(stdout).toContain("    -    return x + x\n    +    return x - x\n");
    expect(stdout).toMatch(/strength: \d+ %: \d+ of \d+ mutants killed\n$/);
    expect(stderr).toMatch(/^strength: \d+ of \d+ mutants tried, \d+ killed\n/m);
  });

  it("has the figure of each check and of all together as JSON, and fails below --min-strength", async () => {
    const strict = await runJson(...flags, "--strength", "--min-strength", "0.9");
    expect(strict.status).toBe(1);
    expect(strict.value).toMatchObject({
      verdict: "failed",
      reason: expect.stringMatching(/^strength 0\.\d+ is below 0\.9$/),
      strength: { seed: 1, survivors: expect.any(Array) },
    });
    const { checks, strength } = strict.value as { checks: { strength?: unknown }[]; strength: unknown };
    expect(checks.map((check) => check.strength)).toEqual([undefined, strength]);
    const mild = await runCli(...flags, "--strength", "--min-strength", "0.1", "--mutants", "3", "--seed", "7");
    expect(mild.status).toBe(0);
    expect(mild.stdout).toMatch(/of 3 mutants killed, a sample of \d+ \(seed 7\)\n$/);
  });

  it("shows a strength that is too low in the verdict, the files for other programs, the page and the receipt", async () => {
    const report = (format: string) =>
      runCli(...flags, "--strength", "--min-strength", "0.9", "--format", format, "--out", join(place, format));
    const { status, stdout } = await report("sarif");
    expect(status).toBe(1);
    expect(stdout).toMatch(/failed: 2 of 2 checks passed; strength 0\.\d+ is below 0\.9 \(tree \w+\)/);
    const [run] = JSON.parse(await readFile(join(place, "sarif"), "utf8")).runs;
    const found = run.results.map(({ ruleId, level }: Record<string, string>) => `${level} ${ruleId}`);
    expect(found[0]).toBe("error verdict/failed");
    expect(found.slice(1).every((each: string) => each === "note strength/survivor")).toBe(true);
    const places = run.results.map((result: { locations?: { physicalLocation: object }[] }) => result.locations?.[0]);
    expect(places).toContainEqual({
      physicalLocation: { artifactLocation: { uri: "clamp.py" }, region: { startLine: 8 } },
    });
    expect(run.properties).toMatchObject({ verdict: "failed", strength: { score: expect.any(Number) } });

    expect((await report("junit")).status).toBe(1);
    const xml = await readFile(join(place, "junit"), "utf8");
    expect(xml).toMatch(/<failure type="failed" message="strength 0\.\d+ is below 0\.9"\/>/);
    expect(xml).toContain('<property name="strength.survivor" value="clamp.py:8 arithmetic"/>');

    const { value } = await runJson("runs", "list", "--limit", "1");
    const [{ id = "" } = {}] = (value as { runs: { id: string }[] }).runs;
    await runCli("runs", "report", id, "--out", join(place, "page.html"));
    expect(await readFile(join(place, "page.html"), "utf8")).toContain("Faults that no check notices");
    const receipt = join(place, "receipt.jsonl");
    expect((await runCli("runs", "receipt", id, "--out", receipt)).status).toBe(0);
    const verified = await runCli("receipt", "verify", receipt);
    expect(verified.status).toBe(1);
    expect(verified.stdout).toMatch(/strength 0\.\d+ is below 0\.9/);
  });

  it("demands nothing of what holds no mutants, and does not let pass what nobody measured", async () => {
    const only = join(place, "files.json");
    await writeFile(only, JSON.stringify({ checks: [{ type: "file_exists", path: "clamp.py" }] }));
    const strict = [...flags.slice(0, 2), only, ...flags.slice(3), "--strength", "--min-strength", "0.1"];
    const blind = await runCli(...strict);
    expect(blind.status).toBe(1);
    expect(blind.stdout).toContain("strength was not measured, and 0.1 is demanded: no check runs anything");
    const empty = join(place, "empty");
    await mkdir(empty);
    await writeFile(join(empty, "a.txt"), "");
    await writeFile(only, JSON.stringify({ checks: ["true"] }));
    const nothing = await runCli("verify", "--checks", only, "--workspace", empty, ...strict.slice(5));
    expect(nothing).toMatchObject({ status: 0 });
    expect(nothing.stdout).toContain("strength: not measured: the selected source has nothing to mutate");
  });

  it("mutates only what changed since a revision", async () => {
    const { value } = await runJson(...flags, "--strength", "--since", "HEAD");
    const { strength } = value as { strength: { total: number; killed: number; survivors: { line: number }[] } };
    expect(strength).toMatchObject({ total: 2, killed: 0 });
    expect(strength.survivors.map(({ line }) => line)).toEqual([8, 8]);
  });

  it.each([
    [["--since", "HEAD"], "--since has no effect without --strength"],
    [["--strength", "--since", "none"], 'The revision "none" can\'t be used: git knows no such commit'],
    [["--strength", "--mutants", "0"], "--mutants 0 would try nothing"],
    [["--strength", "--min-strength", "80"], "It must be a number from 0 to 1"],
  ])("refuses %j", async (more, message) => {
    const { status, stderr } = await runCli(...flags, ...more);
    expect(status).toBe(2);
    expect(stderr).toContain(message);
  });
});
