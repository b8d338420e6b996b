import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { useTemporaryDirectory } from "../../src/base/testing/temporary-directory.ts";
import { writeFiles } from "../../src/base/testing/write-files.ts";
import { runCli, runJson, spawnCli } from "../../src/surfaces/cli/testing/run-cli.ts";
import { useHome } from "../../src/surfaces/cli/testing/use-home.ts";
import { HAS_TMUX, openTmux } from "../../src/surfaces/repl/testing/open-tmux.ts";

const directory = useTemporaryDirectory();
const home = useHome();
let count = 0;

function makeWorkspace(): string {
  const workspace = join(directory, `workspace-${++count}`);
  writeFiles(workspace, { "value.txt": "broken\n" });
  return workspace;
}

const CHECK = '{"type":"file_contains","path":"value.txt","needle":"fixed"}';

function wrap(workspace: string, options: string[], command: string[], input?: string) {
  return spawnCli(home(), ["wrap", "--workspace", workspace, ...options, "--", ...command], input).finished;
}

describe("drydock wrap without a terminal", () => {
  it("passes input and output on, and has the program's exit status", async () => {
    const workspace = makeWorkspace();
    const { status, stdout, stderr } = await wrap(
      workspace,
      [],
      ["sh", "-c", "cat; echo to-stderr >&2; exit 6"],
      "typed\n",
    );
    expect(status).toBe(6);
    expect(stdout).toBe("typed\n");
    expect(stderr).toContain("to-stderr");
    expect(stderr).toContain("Nothing was changed");
  });

  it("applies nothing unless that was said, and with --apply-if-passed only what passed", async () => {
    const workspace = makeWorkspace();
    const fix = ["sh", "-c", "echo fixed > value.txt"];
    const kept = await wrap(workspace, ["--check", CHECK], fix);
    expect(kept.stderr).toContain("The changes are kept in run_");
    expect(readFileSync(join(workspace, "value.txt"), "utf8")).toBe("broken\n");
    const failed = await wrap(workspace, ["--check", CHECK, "--apply-if-passed"], ["sh", "-c", "echo no > value.txt"]);
    expect(failed.status).toBe(1);
    expect(readFileSync(join(workspace, "value.txt"), "utf8")).toBe("broken\n");
    const again = await wrap(workspace, ["--from", "last", "--apply"], ["true"]);
    expect(again).toMatchObject({ status: 3, stderr: expect.stringContaining("Verdict failed") });
    expect(readFileSync(join(workspace, "value.txt"), "utf8")).toBe("broken\n");
    const passed = await wrap(workspace, ["--check", CHECK, "--apply-if-passed"], fix);
    expect(passed).toMatchObject({ status: 0, stderr: expect.stringContaining("undo: drydock runs revert") });
    expect(readFileSync(join(workspace, "value.txt"), "utf8")).toBe("fixed\n");
  });

  it("lists the hosts that were refused where nothing was changed, too", async () => {
    const code = "import urllib.request as u\ntry: u.urlopen('http://refused.example/')\nexcept Exception: pass";
    const { stderr } = await wrap(makeWorkspace(), [], ["python3", "-c", code]);
    expect(stderr).toMatch(/Hosts\n.*refused\.example:80.*refused once[\s\S]*Nothing was changed/);
  });

  it("prints one JSON value with --json, and what the program prints goes to standard error", async () => {
    const { stdout, stderr, status } = await wrap(makeWorkspace(), ["--json"], ["sh", "-c", "echo shown; exit 2"]);
    expect(JSON.parse(stdout)).toMatchObject({
      exitCode: 2,
      delivery: "nothing",
      network: { connected: [], refused: [] },
    });
    expect(stderr).toContain("shown");
    expect(status).toBe(2);
  });

  it("refuses what it can't do with a code and a hint", async () => {
    const workspace = ["--workspace", makeWorkspace()];
    expect(await runCli("wrap")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("after --"),
    });
    const two = await runCli("wrap", ...workspace, "--keep", "--apply", "--", "true");
    expect(two).toMatchObject({ status: 2, stderr: expect.stringContaining("Only one of") });
    const denied = await runCli("wrap", ...workspace, "--allow", "example.org:443", "--", "true");
    expect(denied).toMatchObject({ status: 3, stderr: expect.stringContaining("policy.network_denied") });
    const unknown = await runCli("wrap", "rewind", "run_none");
    expect(unknown).toMatchObject({ status: 2, stderr: expect.stringContaining("run.not_found") });
  });
});

describe.runIf(HAS_TMUX)("drydock wrap on a terminal", () => {
  const open = (workspace: string, options: string[] = []) => {
    const argv = ["wrap", ...options, "--env", "PS1=inside> ", "--", "bash", "--norc"];
    return openTmux({ home: home(), argv, columns: 100, rows: 30, directory: workspace });
  };

  /** The process of the command line, by what it says itself. */
  async function findHolder(): Promise<{ runId: string; pid: number }> {
    const { value } = await runJson("runs", "list", "--kind", "wrap");
    const runId = String((value.runs as { id: string }[])[0]?.id);
    const events = (await runCli("runs", "events", runId, "--json")).stdout;
    const pid = Number(/"owner":\{[^}]*"pid":(\d+)/.exec(events)?.[1]);
    return { runId, pid };
  }

  it("ends in order at SIGTERM: the terminal is as before, and the changes are kept until they are judged", async () => {
    const workspace = makeWorkspace();
    await using tmux = await open(workspace, ["--check", CHECK]);
    await tmux.shows("inside>");
    await tmux.type("echo kept > kept.txt; printf '\\033[?1049h'; echo there");
    await tmux.press("Enter");
    await tmux.shows("there\n");
    const { pid, runId } = await findHolder();
    process.kill(pid, "SIGTERM");
    await tmux.shows(`The changes are kept in ${runId}`);
    expect(await tmux.variable("alternate_on")).toBe("0");
    expect(await tmux.ended()).toBe(129);
    const diff = await runCli("runs", "diff", runId);
    expect(diff.stdout).toContain("+kept");
    const shown = await runCli("runs", "show", runId);
    expect(shown.stdout).toContain("The terminal was closed");
    expect(shown.stdout).not.toContain("crash");
    const refused = await runCli("runs", "apply", runId);
    const [, command = ""] = /`drydock (wrap rewind \S+ \d+)`/.exec(refused.stderr) ?? [];
    const judged = await runCli(...command.split(" "));
    expect(judged).toMatchObject({ status: 0, stdout: expect.stringContaining("Verdict failed") });
  });

  it("that is killed loses nothing up to its last checkpoint, and says how to go on", async () => {
    const workspace = makeWorkspace();
    await using tmux = await open(workspace);
    await tmux.shows("inside>");
    await tmux.type("echo precious > precious.txt; echo there");
    await tmux.press("Enter");
    await tmux.shows("there\n");
    const { pid, runId } = await findHolder();
    const made = await runCli("wrap", "checkpoint", runId);
    expect(made.stdout).toMatch(/^Checkpoint \d+ of run_/);
    process.kill(pid, "SIGKILL");
    expect(await tmux.ended()).toBe(137);
    const shown = await runCli("runs", "show", runId);
    expect(shown.stdout).toContain(`drydock wrap --from ${runId}`);
    const refused = await runCli("runs", "apply", runId);
    expect(refused.stderr).toContain(`drydock wrap --from ${runId}`);
    const again = await wrap(workspace, ["--from", runId, "--apply"], ["cat", "precious.txt"]);
    expect(again).toMatchObject({ status: 0, stdout: "precious\n" });
    expect(readFileSync(join(workspace, "precious.txt"), "utf8")).toBe("precious\n");
  });
});
