import { lstatSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { DrydockError } from "@drydock/protocol";
import { makeDirectories } from "../base/files/index.ts";
import { readProcessStart } from "../base/processes/index.ts";
import {
  collectLeftovers,
  findPython,
  isProcessAlive,
  makeRunDirectory,
  type RunPlace,
  type SpawnedForkServer,
  startForkServerEarly,
} from "../sandbox/start-fork-server-early.ts";
import { type Config, readConfig } from "./config.ts";
import { makeHome } from "./make-home.ts";

/** Sockets have short paths, so that what lives with the process lies in the temporary directory, by user. */
export function runsDirectory(config: Config): string {
  return join(config.temporary, `drydock-${process.getuid?.() ?? 0}`);
}

/** Makes a place for this process's fork servers, and collects those of processes that are gone. */
export function claimPlace(config: Config, home: string, python: string | undefined): RunPlace {
  const runs = runsDirectory(config);
  const found = findPython(python ?? config.python, config.searchPath);
  claimDirectory(runs);
  collectLeftovers(runs, isProcessAlive);
  makeHome(home);
  const cacheDirectory = join(home, "cache");
  mkdirSync(cacheDirectory, { recursive: true, mode: 0o700 });
  const name = `${process.pid}-${readProcessStart(process.pid) ?? ""}-${Math.random().toString(36).slice(2, 6)}`;
  return {
    directory: makeRunDirectory(runs, name),
    cacheDirectory,
    instance: `drydock-${name}`,
    python: found,
    node: process.execPath,
  };
}

export interface EarlyStart {
  place: RunPlace;
  server: SpawnedForkServer;
}

/** For a program that is about to run one thing: null where something is wrong; the run itself reports it later. */
export function startSandboxEarly(kind: "python" | "node"): EarlyStart | null {
  try {
    const config = readConfig();
    const place = claimPlace(config, config.home, undefined);
    return { place, server: startForkServerEarly(place, kind) };
  } catch {
    return null;
  }
}

/** All users can write to the temporary directory: a directory with our name must be ours and closed to others. */
function claimDirectory(path: string): void {
  try {
    makeDirectories(path);
    const found = lstatSync(path);
    if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o077) !== 0)
      throw new Error("it belongs to somebody else, or others can enter it");
  } catch (error) {
    throw new DrydockError(
      "sandbox.unavailable",
      `The directory ${path} can't be used: ${(error as Error).message}`,
      "Remove it, or set TMPDIR to a directory of your own.",
      { path },
    );
  }
}
