import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Engine {
  /** Why it can't be used on this machine, in its own words. */
  missing?: string;
  /** The search path is as it was before. */
  restore(): void;
}

/**
 * Podman in the place of a Docker daemon: their command lines are the same as far as Drydock uses them. Some of its runtimes refuse a
 * machine that has control groups of both kinds.
 */
const STAND_IN = `#!/bin/sh
exec unshare --mount sh -c 'umount /sys/fs/cgroup/unified 2>/dev/null; exec podman "$@"' docker "$@"
`;

/** Asks the engine itself whether it runs, without any part of Drydock. Undefined: the backend has no engine. */
export function findTestEngine(backend: string, directory: string): Engine | undefined {
  switch (backend) {
    case "podman":
      return { missing: ask("podman", ["info"]), restore: () => {} };
    case "gvisor":
      return { missing: ask("runsc", ["--network=none", "--platform=ptrace", "do", "true"]), restore: () => {} };
    case "docker":
      return ask("docker", ["ps"]) === undefined ? { restore: () => {} } : placeStandIn(directory);
    default:
      return undefined;
  }
}

function placeStandIn(directory: string): Engine {
  const programs = join(directory, "programs");
  mkdirSync(programs);
  writeFileSync(join(programs, "docker"), STAND_IN, { mode: 0o755 });
  const before = process.env.PATH;
  process.env.PATH = `${programs}:${before}`;
  const restore = () => {
    process.env.PATH = before;
  };
  return { missing: ask("podman", ["info"]), restore };
}

function ask(program: string, words: string[]): string | undefined {
  if (process.getuid?.() !== 0) return "only root can use it";
  const { error, status, stderr } = spawnSync(program, words, { encoding: "utf8", timeout: 60_000 });
  if (error) return error.message;
  return status === 0 ? undefined : stderr.trim();
}
