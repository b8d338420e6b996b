import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdir, readdir, rm } from "node:fs/promises";
import { connect, type Server } from "node:net";
import { join } from "node:path";
import { DrydockError } from "@drydock/protocol";

/** What the kernel's socket address holds, less its closing zero byte. */
const MAX_PATH_BYTES = 107;
const OWN_NAME = /^egress-(\d+)-[0-9a-f]+\.sock$/;

/** Listens in a directory that is its owner's alone, and clears away the sockets of docks that were killed. */
export async function listenOnSocket(server: Server, directory: string, socketPath?: string): Promise<string> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await chmod(directory, 0o700);
  await removeDeadSockets(directory);
  const path = socketPath ?? join(directory, `egress-${process.pid}-${randomBytes(4).toString("hex")}.sock`);
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) {
    throw new DrydockError(
      "sandbox.unavailable",
      `The egress proxy's socket path is longer than ${MAX_PATH_BYTES} bytes: ${path}`,
      "Choose a shorter DRYDOCK_HOME.",
      { path },
    );
  }
  server.listen(path);
  try {
    await once(server, "listening");
  } catch (error) {
    throw new DrydockError(
      "sandbox.unavailable",
      `The egress proxy can't listen on ${path}: ${error instanceof Error ? error.message : String(error)}`,
      "Check that the directory is writable and that no other dock uses this socket.",
      { path },
      error,
    );
  }
  await chmod(path, 0o600);
  return path;
}

async function removeDeadSockets(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const pid = Number(OWN_NAME.exec(name)?.[1] ?? 0);
    const path = join(directory, name);
    // Both must hold: a process of another container may not be visible by its id, and one that just starts not listen.
    if (pid > 0 && !isAlive(pid) && !(await isListening(path))) await rm(path, { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path);
    probe.once("connect", () => resolve(true)).once("error", () => resolve(false));
    probe.once("connect", () => probe.destroy());
  });
}
