import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { DrydockError } from "@drydock/protocol";
import { isInside, realPathOf } from "../base/paths/index.ts";

/** A directory of the host that a run sees read-only beside its own. */
export interface Mount {
  /** Absolute, and no link. */
  source: string;
  /** Absolute, inside: one of `MOUNT_POINTS`, or a path below one. */
  target: string;
}

/** Kept free in the root that runs see (kernel/contain/rootfs.py): a mount never covers anything. */
const MOUNT_POINTS = ["/extension", "/opt"];
/** A place that has names of its own on most systems: what is mounted there is mounted below it. */
const ONLY_BELOW = "/opt";
const PLAIN_TARGET = /^(?:\/[A-Za-z0-9][\w.+-]{0,127}){1,8}$/;
const MAX_MOUNTS = 32;

/**
 * Checked, and with the real paths of their sources. `own` are directories of Drydock's: a mount may lie in one of them,
 * and must not hold one, as then it would hold what other runs said and did.
 */
export function resolveMounts(mounts: readonly Mount[], own: readonly string[]): Mount[] {
  if (mounts.length > MAX_MOUNTS)
    throw invalid(`There are ${mounts.length} mounts; at most ${MAX_MOUNTS} are allowed.`, {});
  const targets = mounts.map(({ target }) => target);
  return mounts.map(({ source, target }, index) => {
    checkTarget(target);
    const other = targets.find((each, at) => at !== index && isInside(each, target));
    if (other !== undefined) throw invalid(`The mount at ${target} would hide the mount at ${other}.`, { target });
    return { source: resolveSource(source, own), target };
  });
}

function checkTarget(target: string): void {
  const free = MOUNT_POINTS.some((place) => isInside(target, place)) && target !== ONLY_BELOW;
  if (PLAIN_TARGET.test(target) && free) return;
  throw invalid(
    `${JSON.stringify(target)} can't be a mount point: use /extension, or a path below /extension or /opt.`,
    {
      target,
    },
  );
}

/** A link in the last place could lead anywhere by the time it is followed; those before it are resolved here, once. */
function resolveSource(source: string, own: readonly string[]): string {
  try {
    if (!isAbsolute(source)) throw new Error("the path is not absolute");
    const real = join(realpathSync(dirname(source)), basename(source));
    const found = lstatSync(real);
    if (found.isSymbolicLink()) throw new Error("it is a symbolic link");
    if (!found.isDirectory()) throw new Error("it is not a directory");
    const held = own.map(realPathOf).find((directory) => isInside(directory, real));
    if (held !== undefined) throw new Error(`it holds ${held}, which is Drydock's own`);
    return real;
  } catch (error) {
    throw invalid(`The directory ${source} can't be mounted: ${(error as Error).message}`, { source });
  }
}

function invalid(message: string, data: Record<string, unknown>): DrydockError {
  return new DrydockError(
    "input.invalid",
    message,
    "Give directories that exist, by their absolute paths, and targets like /extension or /opt/NAME.",
    data,
  );
}
