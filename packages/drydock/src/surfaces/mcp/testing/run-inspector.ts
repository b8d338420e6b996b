import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { CLI_COMMAND } from "../../cli/testing/run-cli.ts";

const PROGRAM = join(
  dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/inspector/package.json")),
  "clients/launcher/build/index.js",
);

export interface Inspected {
  status: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Asks `drydock mcp` one thing with the inspector's own command line, over stdio. What the inspector keeps for itself
 * goes to `home` as well, so that nothing of a person's own settings is read or written.
 */
export async function runInspector(home: string, ...words: string[]): Promise<Inspected> {
  const argv = [PROGRAM, "--cli", ...CLI_COMMAND, "mcp", "--extensions", "*", "-e", `DRYDOCK_HOME=${home}`, ...words];
  const env = { PATH: process.env.PATH, HOME: home };
  const child = spawn(process.execPath, argv, { env, stdio: ["ignore", "pipe", "pipe"] });
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      output[name] += text;
    });
  }
  const [status] = (await once(child, "close")) as [number | null];
  return { status, ...output };
}
