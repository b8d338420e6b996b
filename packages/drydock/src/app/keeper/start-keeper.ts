import { spawn } from "node:child_process";
import { DrydockError } from "@drydock/protocol";
import type { KeeperAnnouncement } from "./run-keeper.ts";
import { fromErrorInfo } from "./to-error-info.ts";

export interface KeeperProgram {
  /** The file that Node runs, and what stands before and after it on the command line. */
  entry: string;
  nodeArguments: readonly string[];
  arguments: readonly string[];
}

/**
 * Starts a keeper that outlives this process, and waits until a keeper listens: this one, or another that was faster.
 * It is Drydock itself, no user's code, and so starts outside the sandbox.
 */
export async function startKeeper(program: KeeperProgram): Promise<void> {
  const child = spawn(process.execPath, [...program.nodeArguments, program.entry, ...program.arguments], {
    cwd: "/",
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    const text = await new Promise<string>((resolve, reject) => {
      let received = "";
      child.once("error", reject);
      child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
        received += chunk;
        if (received.includes("\n")) resolve(received);
      });
      child.stdout.once("close", () => resolve(received));
    });
    const announcement = readAnnouncement(text);
    if ("error" in announcement) throw fromErrorInfo(announcement.error);
  } finally {
    child.stdout.destroy();
    child.unref();
  }
}

function readAnnouncement(text: string): KeeperAnnouncement {
  try {
    return JSON.parse(text) as KeeperAnnouncement;
  } catch (cause) {
    const hint = "Run `drydock doctor`: it says what this machine lacks.";
    throw new DrydockError("internal", "The session keeper ended while it started.", hint, {}, cause);
  }
}
