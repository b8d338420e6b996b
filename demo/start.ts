/** `npm start`: the console on a demo home, which fills with real runs while you look. Ctrl-C ends it, and removes all of it. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DrydockServer, serve } from "drydock";
import { fillHome } from "./console/fill-home.ts";

const directory = mkdtempSync(join(tmpdir(), "drydock-demo-"));
const home = join(directory, "home");
const stopped = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stopped.abort());

/** At the usual port, unless somebody else has it. */
async function open(): Promise<DrydockServer> {
  const wanted = process.argv.includes("--any-port") ? 0 : 8088;
  return serve([], { home, port: wanted }).catch((error: { code?: string }) => {
    if (wanted === 0 || error.code !== "input.invalid") throw error;
    return serve([], { home, port: 0 });
  });
}

/** A browser where there is a desktop; the address is printed in any case. */
function openBrowser(): void {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (!process.stdout.isTTY || (!DISPLAY && !WAYLAND_DISPLAY)) return;
  const command = join(import.meta.dirname, "../packages/drydock/bin/drydock.js");
  spawn(command, ["open"], { env: { ...process.env, DRYDOCK_HOME: home }, stdio: "ignore" }).on("error", () => {});
}

try {
  const server = await open();
  try {
    console.log(`The console is open, on a demo home in ${directory}:\n`);
    console.log(`  ${await server.createConsoleAddress()}\n`);
    console.log("The address signs one browser in, once, within 10 minutes. Another one:");
    console.log(`  DRYDOCK_HOME=${home} drydock open --print\n`);
    console.log("Runs come in while you look: code in the sandbox, two bugs that are repaired without a model.");
    console.log("The first page says what to try. Ctrl-C ends this, and removes the demo home.");
    openBrowser();
    const filling = fillHome(server.dock, directory, stopped.signal).catch((error: Error) => {
      if (!stopped.signal.aborted) console.error(`The demo home could not be filled: ${error.message}`);
    });
    await new Promise<void>((done) => {
      if (stopped.signal.aborted) done();
      stopped.signal.addEventListener("abort", () => done());
    });
    await filling;
  } finally {
    await server.close();
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}
