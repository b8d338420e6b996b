import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

export interface BenchServer {
  url: string;
  /** Signs one browser in. */
  signIn: string;
  token: string;
  pid: number;
  close(): Promise<void>;
}

/** `drydock serve` in a process of its own, so that what it costs can be told from what the browser costs. */
export async function startServer(home: string): Promise<BenchServer> {
  const main = join(import.meta.dirname, "../../packages/drydock/src/surfaces/cli/main.ts");
  const args = ["--conditions=drydock-source", "--disable-warning=ExperimentalWarning", main, "serve", "--port", "0"];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, DRYDOCK_HOME: home },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let signIn: string | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    signIn = /https?:\/\/\S+\/console\/sign-in#code=\S+/.exec(line)?.[0];
    if (signIn !== undefined) break;
  }
  const { pid } = child;
  if (signIn === undefined || pid === undefined) throw new Error("the server did not say its address");
  child.stdout.resume();
  return {
    ...{ url: new URL(signIn).origin, signIn, pid },
    token: readFileSync(join(home, "http-token"), "utf8").trim(),
    async close() {
      const ended = once(child, "close");
      child.kill("SIGTERM");
      await ended;
    },
  };
}
