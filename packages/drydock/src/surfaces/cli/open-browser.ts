import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readConfig } from "../../app/index.ts";

const PATIENCE_MS = 3000;

/**
 * The user's own browser on the user's own desktop: it is the person at work, not the work, and so not in a sandbox.
 * Other users of the machine can see what a program is started with. So the browser gets the name of a file that only the
 * user can read, and that file leads to the address with its code. False where there is no browser to open.
 */
export async function openBrowser(home: string, address: string): Promise<boolean> {
  const directory = await mkdtemp(join(home, "open-"));
  const file = join(directory, "console.html");
  try {
    const url = address.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
    const page = `<!doctype html><meta charset="utf-8"><title>Drydock</title><meta http-equiv="refresh" content="0;url=${url}">`;
    await writeFile(file, page, { mode: 0o600 });
    const child = spawn("xdg-open", [file], { stdio: "ignore", env: readConfig().environment });
    const ended = once(child, "close").then(([status]) => status === 0);
    const isOpen = await ended.catch(() => false);
    // The browser reads the file a little later than the command ends.
    if (isOpen) await sleep(PATIENCE_MS);
    return isOpen;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
