import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { OpenLink } from "../channel/link.ts";

const BEHAVIOURS = fileURLToPath(new URL("../../../../runner-sdk/testing/behaviours/main.ts", import.meta.url));

/** A real process of the plugin whose behaviour is its input, without a sandbox: how it is supervised does not depend on one. */
export function childLink(name: string, start?: string, onStart: (pid: number) => void = () => {}): OpenLink {
  return ({ onText, onLog }) => {
    const words = [BEHAVIOURS, "--name", name, ...(start ? ["--start", start] : [])];
    const child = spawn(process.execPath, words, { stdio: ["pipe", "pipe", "pipe"] });
    onStart(child.pid ?? 0);
    child.stdin.on("error", () => {});
    child.stdout.setEncoding("utf8").on("data", (text: string) => onText(text, false));
    child.stderr.setEncoding("utf8").on("data", onLog);
    return {
      send: (text) => {
        child.stdin.write(`${text}\n`);
        return true;
      },
      finish: () => child.stdin.end(),
      abort: () => child.kill("SIGKILL"),
      ended: once(child, "close").then(([status, signal]) => `It ended with ${signal ?? status}.`),
    };
  };
}
