import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { BASE_ENVIRONMENT } from "../base-environment.ts";

/** `webnode`: a Node that has loaded what it takes to reach the network by a proxy. */
export type MemberKind = "python" | "node" | "webnode";

/** How members without namespaces of ours are held: by Landlock, not at all, or by an engine's container. */
export type Confinement = "landlock" | "none" | ContainerEngine;

export type ContainerEngine = "podman" | "docker" | "gvisor";

/** How a container engine is called, and the image that its containers have as their root. Null: the host's system, read-only. */
export interface EngineOptions {
  command: string;
  image: string | null;
}

export interface ForkServerOptions {
  python: { path: string; paths: readonly string[] };
  /** The Node that runs inside; null: no Node in the dock. */
  node: string | null;
  /** Where `kernel/*.py` lies. */
  kernel: string;
  /** Private to this server, short enough for a socket's path. */
  directory: string;
  cacheDirectory: string;
  /** The name of its control groups, by which a later start finds them. */
  instance: string;
  preload: readonly string[];
  memoryBytes: number;
  diskBytes: number;
  /** For a single run: no rehearsals, and a first member of this kind is made at once. */
  hasty: MemberKind | null;
  /** Absent: namespaces. */
  confinement?: Confinement;
  /** Of a server of containers. */
  engine?: EngineOptions;
}

/** A started fork server without a listener yet. */
export interface SpawnedForkServer {
  child: ChildProcess;
  options: ForkServerOptions;
}

/** The quick part of a start, for those who have much to load meanwhile. */
export function spawnForkServer(options: ForkServerOptions): SpawnedForkServer {
  mkdirSync(join(options.directory, "root"), { recursive: true, mode: 0o700 });
  const config = {
    host: process.pid,
    directory: options.directory,
    cacheDirectory: options.cacheDirectory,
    instance: options.instance,
    record: join(options.directory, "cgroups"),
    python: options.python.path,
    interpreterPaths: options.python.paths,
    node: options.node,
    preload: options.preload,
    memoryBytes: options.memoryBytes,
    diskBytes: options.diskBytes,
    hasty: options.hasty,
    environment: BASE_ENVIRONMENT,
    confinement: options.confinement,
    engine: options.engine,
  };
  const early = options.hasty ? [config.instance, config.record] : [];
  // Nothing of the caller's environment: what is not there can't leak. Without a locale Python would run in UTF-8 mode,
  // and behave a little differently. `-s` keeps the user's own site-packages out.
  const child = spawn(
    options.python.path,
    ["-s", join(options.kernel, chooseProgram(options)), JSON.stringify(config), ...early],
    {
      cwd: "/",
      // Ctrl-C on a terminal is for the host, which cancels what runs: it must not end the sandbox first.
      detached: true,
      env: { LANG: "C.UTF-8" },
      stdio: ["pipe", "pipe", "pipe"],
    },
  );
  return { child, options };
}

function chooseProgram({ confinement, engine }: ForkServerOptions): string {
  if (engine) return "container_server.py";
  return confinement ? "bare_fork_server.py" : "fork_server.py";
}
