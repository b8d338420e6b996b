import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli, runJson, spawnCli } from "./testing/run-cli.ts";
import { useHome } from "./testing/use-home.ts";

const home = useHome();
const unfinished = () => {
  const directory = join(home(), "unfinished");
  return existsSync(directory) ? readdirSync(directory).filter((name) => name.endsWith(".json")) : [];
};
const SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ012345";

describe("an exec whose process is killed", () => {
  it("is shown with what it had printed, without secrets", async () => {
    const code = `import sys, time; print("first line"); print("token = ${SECRET.slice(0, 20)}" "${SECRET.slice(20)}"); print("to err", file=sys.stderr); time.sleep(60)`;
    const cli = spawnCli(home(), ["exec", "-c", code]);
    const kept = () => unfinished().map((name) => readFileSync(join(home(), "unfinished", name), "utf8"));
    await expect.poll(() => kept().join(), { timeout: 20_000 }).toContain("to err");
    expect(kept().join()).not.toContain(SECRET);
    cli.process.kill("SIGKILL");
    await cli.finished;
    const shown = await runCli("runs", "show", "last");
    expect(shown.stdout).toMatch(
      /status +lost: the Drydock process that ran it ended before the run did\n[\s\S]*\nreason +The process that ran it ended before the run did: it was killed[\s\S]*\nstdout until then\nfirst line\n[\s\S]*\nstderr until then\nto err\n$/,
    );
    expect(shown.stdout).not.toContain(SECRET);
    const applied = await runCli("runs", "apply", "last");
    expect([applied.status, applied.stderr]).toEqual([1, expect.stringContaining("is lost")]);
    expect((await runJson("runs", "events", "last")).value).toMatchObject([
      { type: "run.created" },
      { type: "output.recorded", data: { stdout: expect.stringMatching(/^first line\n/), stderr: "to err\n" } },
      { type: "run.lost" },
    ]);
    expect((await runCli("audit", "verify")).status).toBe(0);
    expect(unfinished()).toEqual([]);
  });

  it("leaves nothing where it ends by itself, after a second as well", async () => {
    const code = "import time\nfor i in range(15): print(i, flush=True); time.sleep(0.1)";
    expect((await runCli("exec", "-c", code)).status).toBe(0);
    expect(unfinished()).toEqual([]);
    const events = (await runJson("runs", "events", "last")).value as unknown as { type: string }[];
    expect(events.map(({ type }) => type)).toEqual(["run.created", "output.recorded", "run.succeeded"]);
  });
});
