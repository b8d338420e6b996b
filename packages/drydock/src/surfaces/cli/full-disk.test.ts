import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { SOURCE_FLAGS } from "../../base/testing/child-flags.ts";
import { useHome } from "./testing/use-home.ts";

const home = useHome();
const WRITING = ["policy set limits.wallSeconds 5", "token create --scope read"];
const READING = ["model list", "ext list", "keys list", "approvals list", "task list", "secret list", "token list"];

it.runIf(process.getuid?.() === 0)("a full disk is told as such by what writes, and what is there is shown", () => {
  const program = `
    import { appendFileSync } from "node:fs";
    const { runCli, runJson } = await import(${JSON.stringify(fileURLToPath(new URL("./testing/run-cli.ts", import.meta.url)))});
    await runCli("runs", "list");
    try { for (;;) appendFileSync(process.env.DRYDOCK_HOME + "/ballast", Buffer.alloc(4096)); } catch {}
    const answers = {};
    for (const words of ${JSON.stringify([...WRITING, ...READING])}) {
      const { status, value } = await runJson(...words.split(" "));
      answers[words] = [status, value.error?.code ?? null, value.error?.message ?? ""];
    }
    console.log(JSON.stringify(answers));`;
  const child = [process.execPath, ...SOURCE_FLAGS, "--input-type=module", "-e", program];
  const { stdout, stderr } = spawnSync(
    "unshare",
    ["-m", "sh", "-c", 'mount -t tmpfs -o size=1m none "$DRYDOCK_HOME" && exec "$@"', "sh", ...child],
    { env: { ...process.env, DRYDOCK_HOME: home() }, encoding: "utf8" },
  );
  expect(stderr).toBe("");
  const full = [4, "limit.disk", expect.stringContaining("can't be written: the disk is full. Nothing was changed.")];
  const shown = [0, null, ""];
  expect(JSON.parse(stdout)).toEqual({
    ...Object.fromEntries(WRITING.map((words) => [words, full])),
    ...Object.fromEntries(READING.map((words) => [words, shown])),
  });
});
