import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const ROOT = join(import.meta.dirname, "../../../../..");

interface Manifest {
  bin?: string | Record<string, string>;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
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
    // With a filter, Node copies file by file, which takes ten times as long.
    cpSync(place, target, { recursive: true, ...(existsSync(nested) && { filter: (source) => source !== nested }) });
    const manifest = JSON.parse(readFileSync(join(place, "package.json"), "utf8")) as Manifest;
    const { dependencies, optionalDependencies } = manifest;
    for (const each of Object.keys({ ...dependencies, ...optionalDependencies })) visit(each, place);
    if (names.includes(name)) linkPrograms(workspace, name, target, manifest);
  };
  for (const name of names) visit(name, ROOT);
}

/** Links to a package at /extension/node_modules. */
export function linkPackage(workspace: string, name: string): void {
  const target = join(workspace, "node_modules", name);
  mkdirSync(dirname(target), { recursive: true });
  symlinkSync(`/extension/node_modules/${name}`, target);
  const manifest = JSON.parse(readFileSync(join(ROOT, "node_modules", name, "package.json"), "utf8")) as Manifest;
  linkPrograms(workspace, name, target, manifest);
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
