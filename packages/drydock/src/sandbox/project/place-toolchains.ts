import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import { DrydockError } from "@drydock/protocol";
import { isInside, realPathOf } from "../../base/paths/index.ts";
import { isPrivatePlace } from "../../policy/index.ts";
import type { Mount } from "../resolve-mounts.ts";
import { expandHome } from "./expand-home.ts";

const PLACE = "/opt/toolchains";
/** What programs need of the directory that they are installed in. Settings and credentials lie in none of them. */
const PARTS = ["bin", "lib", "lib64", "libexec", "include"];
/** What some toolchains need besides, by a program that they have. */
const MORE_PARTS: Record<string, readonly string[]> = { "bin/go": ["pkg", "src"], "bin/java": ["conf", "jmods"] };
/** Where rustup keeps several toolchains side by side. */
const SEVERAL = "toolchains";
const STATE = ["/boot", "/dev", "/etc", "/proc", "/run", "/sys", "/var"];

export interface Toolchains {
  mounts: Mount[];
  /** Directories of programs, as runs see them. */
  bins: string[];
  notes: string[];
}

export interface ToolchainOptions {
  /** Of the user whose policy names them: what `~` stands for. */
  userHome: string;
  /** Drydock's own directories. */
  own: readonly string[];
  /** Its real path. */
  workspace: string | null;
}

/**
 * The owner's toolchains, read-only and only in part: of `~/.cargo`, runs see `bin`, and not the registry's token
 * beside it. A directory in the workspace is no toolchain of the owner: runs may change it.
 */
export function placeToolchains(entries: readonly string[], options: ToolchainOptions): Toolchains {
  const toolchains: Toolchains = { mounts: [], bins: [], notes: [] };
  const taken = new Set<string>();
  for (const entry of entries) {
    const reason = place(entry, options, taken, toolchains);
    if (reason !== null) toolchains.notes.push(`toolchain ${entry} is not used: ${reason}`);
  }
  return toolchains;
}

function place(entry: string, options: ToolchainOptions, taken: Set<string>, toolchains: Toolchains): string | null {
  const path = expandHome(entry, options.userHome);
  let directory: string;
  try {
    directory = realpathSync(path);
  } catch {
    return "there is no such directory";
  }
  refuseUnsafe(entry, directory, options);
  const { workspace } = options;
  if (workspace !== null && (isInside(directory, workspace) || isInside(workspace, directory))) {
    return "it lies in the workspace, or around it";
  }
  const more = Object.entries(MORE_PARTS).flatMap(([program, parts]) => (isThere(directory, program) ? parts : []));
  const parts = [...PARTS, ...more, SEVERAL].filter((part) => isDirectory(join(directory, part)));
  const several = parts.includes(SEVERAL) ? list(join(directory, SEVERAL)).map((name) => `${SEVERAL}/${name}/bin`) : [];
  const bins = ["bin", ...several].filter((bin) => isDirectory(join(directory, bin)));
  if (bins.length === 0) return "it has no directory bin";
  const target = `${PLACE}/${nameFor(directory, taken)}`;
  toolchains.mounts.push(...parts.map((part) => ({ source: join(directory, part), target: `${target}/${part}` })));
  toolchains.bins.push(...bins.map((bin) => `${target}/${bin}`));
  return null;
}

/** A policy that would show more than programs is wrong, and nothing runs under it. */
function refuseUnsafe(entry: string, directory: string, { userHome, own }: ToolchainOptions): void {
  const home = realPathOf(userHome);
  const held = own.map(realPathOf).find((each) => isInside(each, directory) || isInside(directory, each));
  const reason = isInside(home, directory)
    ? "it is the home of a user, or holds one"
    : held !== undefined
      ? `it belongs to Drydock, or holds ${held}`
      : isPrivatePlace(directory)
        ? "it holds credentials, or the state of programs that do"
        : STATE.some((each) => isInside(directory, each) && !isInside(home, each))
          ? "it holds the system's state, no programs"
          : null;
  if (reason === null) return;
  throw new DrydockError(
    "policy.invalid",
    `The directory ${entry} can't be a toolchain (sandbox.toolchains): ${reason}.`,
    "Name the directory of one toolchain, such as ~/.cargo or ~/.nvm/versions/node/v22.1.0, in the home policy.",
    { toolchain: entry },
  );
}

function nameFor(directory: string, taken: Set<string>): string {
  const plain =
    basename(directory)
      .replace(/^[^A-Za-z0-9]+/, "")
      .replace(/[^\w.+-]/g, "-")
      .slice(0, 100) || "tools";
  let name = plain;
  for (let number = 2; taken.has(name); number++) name = `${plain}-${number}`;
  taken.add(name);
  return name;
}

function isThere(directory: string, path: string): boolean {
  try {
    return lstatSync(join(directory, path)) !== undefined;
  } catch {
    return false;
  }
}

/** A link may lead anywhere. */
function isDirectory(path: string): boolean {
  try {
    return lstatSync(path).isDirectory();
  } catch {
    return false;
  }
}

function list(directory: string): string[] {
  return readdirSync(directory).sort();
}
