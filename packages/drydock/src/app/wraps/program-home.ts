import { hash } from "node:crypto";
import { chownSync, lstatSync, mkdirSync, statfsSync } from "node:fs";
import { basename, join } from "node:path";
import { DrydockError } from "@drydock/protocol";
import { makeDirectories } from "../../base/files/index.ts";
import { measureDirectory } from "../clean-up/index.ts";

/**
 * Where root's Drydock keeps homes, they belong to a user that is used for nothing else: what a program makes there belongs to
 * the owner of the directory, and must never be root's.
 */
const HOMES_UID = 999_999_999;
const PLAIN_NAME = /^[A-Za-z0-9][\w.+-]{0,63}$/;
const LOOK_MS = 500;
const FULL_LOOK_MS = 30_000;
/** How much may be written between two measurements. */
const SLACK_BYTES = 16 * 1024 * 1024;

/**
 * The name of a program's home: its own, without directory and ending. A program of a workspace can call itself like an agent that has
 * logged in elsewhere: its home is one of that workspace.
 */
export function nameHome(program: string, wanted: string | undefined, ofWorkspace: string | null): string {
  const own = basename(program).replace(/\.(?:js|mjs|cjs|py|sh)$/, "");
  const name = wanted ?? (ofWorkspace === null ? own : `${own}-of-${hash("sha256", ofWorkspace).slice(0, 12)}`);
  if (PLAIN_NAME.test(name)) return name;
  if (wanted === undefined) return "program";
  throw new DrydockError(
    "input.invalid",
    `${JSON.stringify(name)} can't be the name of a home.`,
    "Use letters, digits, dots and dashes, such as --home codex-work.",
  );
}

/** Makes the home of a program where it is not there yet: it lasts, and no other program has it. */
export function openProgramHome(home: string, name: string): string {
  const homes = join(home, "wraps", "homes");
  makeDirectories(homes);
  const directory = join(homes, name);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const found = lstatSync(directory);
  if (!found.isDirectory()) {
    const hint = "Move it away: Drydock makes a directory in its place.";
    throw new DrydockError("input.invalid", `${directory} is no directory.`, hint, { path: directory });
  }
  if (found.uid === 0 && process.getuid?.() === 0) chownSync(directory, HOMES_UID, HOMES_UID);
  return directory;
}

/** Null where the directory can't be looked at now, such as one that somebody has removed: a timer must not throw for that. */
function readFreeBytes(directory: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize;
  } catch {
    return null;
  }
}

export interface HomeWatch {
  /** Why the program was ended; undefined: it kept within its limit. */
  readonly exceeded: DrydockError | undefined;
  stop(): void;
}

/**
 * Holds the limit on disk for a home, which no file system of the run's own holds: a program that fills the disk of the host is
 * ended. The free room of the disk is looked at often, which costs nothing; the files are counted where that has shrunk.
 */
export function watchProgramHome(directory: string, diskMb: number, onExceeded: () => void): HomeWatch {
  const limit = diskMb * 1024 * 1024;
  let exceeded: DrydockError | undefined;
  let free = Number.POSITIVE_INFINITY;
  let measuredAt = 0;
  let isMeasuring = false;

  async function measure(): Promise<void> {
    isMeasuring = true;
    const since = performance.now();
    try {
      if ((await measureDirectory(directory)) > limit && !exceeded) {
        exceeded = new DrydockError(
          "limit.disk",
          `The home of the program holds more than ${diskMb} MB.`,
          `Delete what is not needed in ${directory}, or let the owner allow more: \`drydock policy set limits.diskMb.max ${diskMb * 2}\`.`,
          { path: directory },
        );
        onExceeded();
      }
    } catch {
      // The program deletes directories while they are read: the next look counts them.
    } finally {
      // Counting never takes more than a small part of the time.
      measuredAt = performance.now() + (performance.now() - since) * 20;
      isMeasuring = false;
    }
  }

  const timer = setInterval(() => {
    const now = readFreeBytes(directory);
    if (now === null) return;
    const hasShrunk = now < free - SLACK_BYTES;
    const isTime = performance.now() > measuredAt + (hasShrunk ? 0 : FULL_LOOK_MS);
    if (isMeasuring || !(isTime || (hasShrunk && now < free - 4 * SLACK_BYTES))) return;
    free = now;
    void measure();
  }, LOOK_MS);
  timer.unref();
  return {
    get exceeded() {
      return exceeded;
    },
    stop: () => clearInterval(timer),
  };
}
