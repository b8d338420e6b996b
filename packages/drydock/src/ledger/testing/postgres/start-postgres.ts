import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const USER = "drydock";
/** Debian keeps the programs of each version apart from the PATH. */
const VERSIONS = "/usr/lib/postgresql";
/** PostgreSQL refuses root: its processes are nobody's. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

export function findPostgresProgram(name: string): string {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS).sort((a, b) => Number(b) - Number(a)) : [];
  const found = versions.map((version) => join(VERSIONS, version, "bin", name)).find((path) => existsSync(path));
  if (!found) throw new Error("PostgreSQL is not installed: npm run setup installs it.");
  return found;
}

export interface PostgresOptions {
  /** A new directory for the server's files and its socket. */
  directory: string;
  /** Whether a commit waits for the disk; tests of durability need that. */
  durable?: boolean;
  /** A user that needs a password, beside the one that needs none. */
  guarded?: { user: string; password: string };
  /** Addresses at which it is reached as well, without a password. */
  listen?: readonly string[];
}

export interface TestServer {
  /** Kills it, as a power cut would, and starts it on the same files. */
  crash(): Promise<void>;
  /** Ends it, and removes its files. */
  stop(): Promise<void>;
}

/** The address of a database of the server in this directory, by its socket. */
export function addressIn(directory: string, database = "postgres"): string {
  return `postgres://${USER}@/${database}?host=${encodeURIComponent(directory)}`;
}

/** A server of its own, reached through a socket in the directory. */
export async function startPostgres({
  directory,
  durable = false,
  guarded,
  listen = [],
}: PostgresOptions): Promise<TestServer> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (NOBODY.uid !== undefined) chownSync(directory, NOBODY.uid, NOBODY.gid);
  const data = join(directory, "data");
  const init = ["-D", data, "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"];
  execFileSync(findPostgresProgram("initdb"), init, { ...NOBODY, cwd: "/", stdio: "ignore" });
  if (guarded) requirePassword(data, guarded.user);
  for (const address of listen) appendFileSync(join(data, "pg_hba.conf"), `host all all ${address}/24 trust\n`);
  const addresses = listen.join(",");
  let server = await runPostgres(directory, durable, addresses);
  if (guarded) {
    const { user, password } = guarded;
    execFileSync(findPostgresProgram("psql"), [
      "-qc",
      `create role ${user} login password '${password}'`,
      addressIn(directory),
    ]);
  }
  // At once, without waiting for connections that tests have left; nothing is written to its files any more.
  async function kill() {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill("SIGQUIT");
    await once(server, "exit");
  }
  return {
    async crash() {
      await kill();
      server = await runPostgres(directory, durable, addresses);
    },
    async stop() {
      await kill();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function requirePassword(data: string, user: string): void {
  const file = join(data, "pg_hba.conf");
  writeFileSync(file, `local all ${user} scram-sha-256\n${readFileSync(file, "utf8")}`);
}

async function runPostgres(directory: string, durable: boolean, addresses: string): Promise<ChildProcess> {
  const settings = {
    listen_addresses: addresses,
    unix_socket_directories: directory,
    max_connections: "300",
    shared_buffers: "32MB",
    fsync: durable ? "on" : "off",
    full_page_writes: durable ? "on" : "off",
    autovacuum: "off",
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const data = join(directory, "data");
  const program = findPostgresProgram("postgres");
  const server = spawn(program, ["-D", data, ...options], { ...NOBODY, cwd: "/", stdio: "ignore" });
  await waitForSocket(directory, server);
  return server;
}

async function waitForSocket(directory: string, server: ChildProcess): Promise<void> {
  const ready = findPostgresProgram("psql");
  for (let tries = 0; server.exitCode === null && tries < 600; tries++) {
    await sleep(50);
    try {
      execFileSync(ready, ["-qAtc", "select 1", addressIn(directory)], { stdio: "ignore" });
      return;
    } catch {
      // It is still starting.
    }
  }
  throw new Error("PostgreSQL did not start.");
}
