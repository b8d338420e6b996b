import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const ROOT = join(import.meta.dirname, "../../../../..");

interface Manifest {
  bin?: string | Record<string, string>;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

/** Copies packages and all that they need from this repository's node_modules to a workspace's. */
export function installPackages(workspace: string, names: readonly string[]): void {
  const done = new Set<string>();
  const visit = (name: string, from: string) => {
    const place = findPackage(name, from);
    if (!place || done.has(place)) return;
    done.add(place);
    const nested = join(place, "node_modules");
    const target = join(workspace, relative(ROOT, place));
    cpSync(place, target, { recursive: true, filter: (source) => source !== nested });
    const manifest = JSON.parse(readFileSync(join(place, "package.json"), "utf8")) as Manifest;
    const { dependencies, optionalDependencies, peerDependencies } = manifest;
    for (const each of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }))
      visit(each, place);
    if (names.includes(name)) linkPrograms(workspace, name, target, manifest);
  };
  for (const name of names) visit(name, ROOT);
}

function linkPrograms(workspace: string, name: string, target: string, { bin = {} }: Manifest): void {
  const directory = join(workspace, "node_modules/.bin");
  mkdirSync(directory, { recursive: true });
  for (const [program, path] of Object.entries(typeof bin === "string" ? { [name]: bin } : bin))
    symlinkSync(relative(directory, join(target, path)), join(directory, program));
}

function findPackage(name: string, from: string): string | null {
  for (let directory = from; directory.startsWith(ROOT); directory = dirname(directory)) {
    const place = join(directory, "node_modules", name);
    if (existsSync(join(place, "package.json"))) return place;
  }
  return null;
}
