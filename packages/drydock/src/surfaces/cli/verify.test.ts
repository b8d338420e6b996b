import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli, runJson } from "./testing/run-cli.ts";
import { useHome } from "./testing/use-home.ts";

useHome();
let place = "";

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "drydock-verify-cli-"));
  await mkdir(join(place, "work"));
  await writeFile(join(place, "work", "report.json"), '{"total": 3}');
  await writeFile(join(place, "work", ".env"), "KEY=secret");
  await symlink("/etc/hostname", join(place, "work", "out"));
});
afterAll(() => rm(place, { recursive: true, force: true }));

async function write(name: string, text: string): Promise<string> {
  await writeFile(join(place, name), text);
  return join(place, name);
}

const work = () => ["--workspace", join(place, "work")];

describe("drydock verify --check", () => {
  const judge = async (...args: string[]) => {
    const { status, value } = await runJson("verify", ...args, ...work());
    const checks = (value as { checks: { check: { cmd?: string; type: string }; verdict: string }[] }).checks;
    return { status, checks: checks.map(({ check, verdict }) => [check.cmd ?? check.type, verdict]) };
  };

  it("judges by what the command line names, several times, as text or JSON", async () => {
    const exists = '{"type":"file_exists","path":"report.json"}';
    expect(await judge("--check", "cat report.json", "--check", exists, "--check", "cat nothing")).toEqual({
      status: 1,
      checks: [
        ["cat report.json", "passed"],
        ["file_exists", "passed"],
        ["cat nothing", "failed"],
      ],
    });
  });

  it("adds to those of --checks", async () => {
    const file = await write("more.yaml", "checks: [ls]\n");
    expect(await judge("--checks", file, "--check", "cat report.json")).toEqual({
      status: 0,
      checks: [
        ["ls", "passed"],
        ["cat report.json", "passed"],
      ],
    });
  });

  it("refuses what can't be read as a check", async () => {
    const { status, stderr } = await runCli("verify", "--check", '{"type":"nothing"}', ...work());
    expect(status).toBe(2);
    expect(stderr).toContain("checks.0");
  });
});

describe("drydock verify without --checks", () => {
  const repository = async (name: string, files: Record<string, string>) => {
    const directory = join(place, name);
    await mkdir(join(directory, ".drydock"), { recursive: true });
    for (const [path, text] of Object.entries(files)) await writeFile(join(directory, path), text);
    return directory;
  };

  it("judges by the workspace's own file and by what the policy requires, and says whose each check is", async () => {
    const directory = await repository("own", {
      "a.txt": "a\n",
      ".drydock/checks.yaml": "checks:\n  - cat a.txt\n  - { type: unchanged, paths: [a.txt] }\n",
      ".drydock/policy.yaml": "checks:\n  required:\n    - { type: file_exists, path: LICENSE }\n",
    });
    const { status, stdout } = await runCli("verify", "--workspace", directory);
    expect(status).toBe(1);
    expect(stdout).toMatch(/✗ file_exists \(required by the workspace\) — .*LICENSE/);
    expect(stdout).toMatch(/✓ command \(required by the workspace\) — "cat a.txt"/);
    expect(stdout).toContain("failed: 1 of 2 checks");
    const file = await write("given.yaml", "checks: [ls]\n");
    const input = await runJson("verify", "--checks", file, "--workspace", directory);
    const checks = (input.value as { checks: { type: string; verdict: string; source: string }[] }).checks;
    expect(checks.map(({ type, verdict, source }) => [type, verdict, source])).toEqual([
      ["file_exists", "failed", "workspace"],
      ["command", "passed", "user"],
    ]);
  });

  it("says how to write one where there is none", async () => {
    const { status, stderr } = await runCli("verify", "--workspace", await repository("none", {}));
    expect(status).toBe(2);
    expect(stderr).toMatch(/There is no check for .*none/);
    expect(stderr).toMatch(/\.drydock\/checks\.yaml, such as `checks: \["pytest -q"\]`/);
  });

  it("takes a link to nowhere for a mistake, not for the absence of checks", async () => {
    const directory = await repository("lost", {});
    await symlink("nowhere", join(directory, ".drydock", "checks.yaml"));
    expect(await runCli("verify", "--workspace", directory)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("checks.yaml"),
    });
  });
});

describe("drydock verify", () => {
  it("judges a directory as it stands, and leaves it so", async () => {
    const file = await write(
      "good.yaml",
      `checks:
  - { type: file_exists, path: report.json }
  - { type: command, cmd: cat report.json, name: shows the report }
  - { type: command, cmd: "python3 -c 'open(\\"new.txt\\", \\"w\\").write(\\"x\\")'" }
  - { type: json_schema, path: report.json, schema: { properties: { total: { const: 3 } } } }
  - { type: file_absent, path: new.txt }
`,
    );
    const people = await runCli("verify", "--checks", file, ...work());
    expect(people).toMatchObject({ status: 0, stderr: "" });
    expect(people.stdout).toMatch(/^✓ file_exists — report.json exists\. /);
    expect(people.stdout).toContain("✓ shows the report");
    expect(people.stdout).toMatch(/passed: 5 of 5 checks passed \(tree [0-9a-f]{12}\)\n$/);
    const { status, value } = await runJson("verify", "--checks", file, ...work());
    expect(status).toBe(0);
    expect(value).toMatchObject({ verdict: "passed", treeHash: expect.stringMatching(/^[0-9a-f]{64}$/), repeated: 0 });
    expect((await readdir(join(place, "work"))).sort()).toEqual([".env", "out", "report.json"]);
  });

  it("gives exit status 1 and the evidence where a check does not hold", async () => {
    const checks = [
      { type: "command", cmd: "python3 -c 'print(\"why\\x1b[2J\"); exit(3)'" },
      { type: "file_exists", path: "outputs/test-fail.log{}" },
      { type: "file_contains", path: ".env", needle: "KEY" },
      { type: "file_contains", path: "out", needle: "a" },
      { type: "unchanged", paths: ["**"] },
    ];
    const file = await write("bad.json", JSON.stringify({ checks }, null, "\t"));
    const people = await runCli("verify", "--checks", file, ...work());
    expect(people.status).toBe(1);
    expect(people.stdout).toMatch(/✗ command — .* ended with status 3, not 0\. .*\n {4}why\\x1b\[2J\n/);
    expect(people.stdout).toContain("✗ file_exists — refused: The path");
    expect(people.stdout).toMatch(/\nfailed: 5 of 5 checks failed \(tree [0-9a-f]{12}\)\n$/);
    const { status, value } = await runJson("verify", "--checks", file, ...work());
    expect(status).toBe(1);
    expect(value.verdict).toBe("failed");
    expect((value.checks as { code: string }[]).map(({ code }) => code)).toEqual([
      "exit_code",
      "illegal_path",
      "hidden_path",
      "symlink_outside",
      "nothing_to_compare",
    ]);
  });

  it("is on record with each check and the verdict", async () => {
    const file = await write("one.yaml", "checks: [{ type: file_exists, path: nowhere }]");
    const { value } = await runJson("verify", "--checks", file, ...work());
    const id = String(value.runId);
    expect((await runJson("runs", "show", id)).value).toMatchObject({
      kind: "verify",
      status: "failed",
      verdict: "failed",
      treeHash: value.treeHash,
      errorCode: null,
    });
    const events = JSON.parse((await runCli("runs", "events", id, "--json")).stdout) as { type: string }[];
    expect(events.map(({ type }) => type)).toEqual(["run.created", "check.finished", "run.failed"]);
    expect((await runJson("audit", "verify")).value).toMatchObject({ ok: true });
  });

  it("writes JUnit XML and SARIF to a pipe, or to a file beside what the terminal shows", async () => {
    const file = await write(
      "formats.yaml",
      "checks: [{ type: file_exists, path: no }, { type: command, cmd: 'false' }]",
    );
    const judge = ["verify", "--checks", file, ...work()];
    const xml = await runCli(...judge, "--format", "junit");
    expect(xml).toMatchObject({ status: 1, stderr: "" });
    expect(xml.stdout).toMatch(/^<\?xml [\s\S]*<\/testsuites>\n$/);
    expect(xml.stdout).toContain('tests="2" failures="2"');
    const sarif = await runCli(...judge, "--format", "sarif");
    expect(sarif.status).toBe(1);
    expect(JSON.parse(sarif.stdout)).toMatchObject({ version: "2.1.0", runs: [{ results: [{}, {}] }] });

    const out = join(place, "out.xml");
    const people = await runCli(...judge, "--format", "junit", "--out", out);
    expect(people.status).toBe(1);
    expect(people.stdout).toMatch(/^✗ file_exists — [\s\S]*failed: 2 of 2 checks failed/);
    expect(await readFile(out, "utf8")).toMatch(/^<\?xml [\s\S]*<\/testsuites>\n$/);
    const programs = await runJson(...judge, "--format", "junit", "--out", out);
    expect(programs.value).toMatchObject({ verdict: "failed" });
    expect(await readFile(out, "utf8")).toContain(String(programs.value.runId));

    await runCli(...judge, "--out", out);
    expect(await readFile(out, "utf8")).toMatch(/^✗ file_exists — [\s\S]*failed: 2 of 2 checks failed/);
    await runCli(...judge, "--format", "json", "--out", out);
    expect(JSON.parse(await readFile(out, "utf8"))).toMatchObject({ verdict: "failed" });
    expect(JSON.parse((await runCli(...judge, "--format", "json")).stdout)).toMatchObject({ verdict: "failed" });
  });

  it("names files in SARIF from the directory where it is started, and the checks' file where there is no other", async () => {
    await write("places.yaml", "checks: [{ type: file_exists, path: no }, { type: command, cmd: 'false' }]");
    const started = process.cwd();
    try {
      process.chdir(place);
      const { value } = await runJson("verify", "--checks", "places.yaml", "--workspace", "work");
      const uris = async () => {
        const { stdout } = await runCli("runs", "report", String(value.runId), "--format", "sarif");
        const [run] = (JSON.parse(stdout) as { runs: { results: { locations?: unknown }[] }[] }).runs;
        return run?.results.map(({ locations }) => JSON.stringify(locations)?.match(/"uri":"([^"]*)"/)?.[1]);
      };
      expect(await uris()).toEqual(["work/no", "places.yaml"]);
      process.chdir(join(place, "work"));
      // The file of the checks can't be named from here.
      expect(await uris()).toEqual(["no", undefined]);
    } finally {
      process.chdir(started);
    }
  });

  it("refuses formats that do not exist or do not go together, and a file that can't be written", async () => {
    const file = await write("fine.yaml", "checks: [{ type: file_exists, path: report.json }]");
    const judge = ["verify", "--checks", file, ...work()];
    for (const more of [
      ["--format", "tap"],
      ["--format", "junit"],
      ["--format", "junit", "--out", join(place, "no", "where.xml")],
    ]) {
      const { status, value } = await runJson(...judge, ...more);
      expect({ status, value }).toMatchObject({ status: 2, value: { error: { code: "input.invalid" } } });
    }
  });

  const wrong: [name: string, text: string, message: RegExp][] = [
    ["an unknown type", "checks:\n  - { type: file_exist, path: a }\n", /wrong\.yaml:2:\d+: checks\.0/],
    [
      "an unknown key",
      "checks:\n  - type: file_exists\n    path: a\n    pth: b\n",
      /wrong\.yaml:4:5: checks\.0\.pth: unknown key/,
    ],
    [
      "a wrong value",
      "checks:\n  - type: command\n    cmd: ls\n    timeout: soon\n",
      /wrong\.yaml:4:\d+: checks\.0\.timeout/,
    ],
    ["no checks", "checks: []\n", /wrong\.yaml:1:1: checks/],
    ["no YAML", "checks: [\n", /wrong\.yaml:\d+:\d+: not valid YAML/],
    ["a list by itself", "- a\n", /wrong\.yaml/],
  ];

  it.each(wrong)("refuses a file with %s, and says where", async (_name, text, message) => {
    const file = await write("wrong.yaml", text);
    const { status, value } = await runJson("verify", "--checks", file, ...work());
    expect({ status, value }).toMatchObject({
      status: 2,
      value: { error: { code: "input.invalid", message: expect.stringMatching(message), file } },
    });
  });

  it("refuses a file or a directory that is not there", async () => {
    const missing = await runJson("verify", "--checks", join(place, "no.yaml"), ...work());
    expect(missing).toMatchObject({ status: 2, value: { error: { code: "input.invalid" } } });
    const file = await write("fine.yaml", "checks: [{ type: file_exists, path: a }]");
    const nowhere = await runJson("verify", "--checks", file, "--workspace", join(place, "no"));
    expect(nowhere).toMatchObject({ status: 2, value: { error: { code: "input.invalid" } } });
    expect((await runJson("verify")).status).toBe(2);
  });
});
