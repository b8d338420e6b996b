import { posix } from "node:path";
import type { SourceFile } from "./find-violations.ts";
import { readSource } from "./read-source.ts";

/**
 * Files of the product that no program of it reaches from these entries: whatever imports them is a test. They belong
 * into a folder `testing`. What is called a fixture or a driver of tests belongs there as well.
 */
export function findTestOnly(files: readonly SourceFile[], entries: readonly string[]): string[] {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const reached = new Set<string>();
  const waiting = entries.filter((path) => texts.has(path));
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    waiting.push(...listTargets(path, texts.get(path) ?? "").filter((target) => texts.has(target)));
  }
  return files
    .map(({ path }) => path)
    .filter((path) => !isForTests(path) && !reached.has(path))
    .map((path) => `${path}: only tests need it, so that it belongs into a folder testing/`);
}

/** A test, or what lies in a room's folder `testing`. */
export function isForTests(path: string): boolean {
  return path.endsWith(".test.ts") || path.includes("/testing/");
}

function listTargets(path: string, text: string): string[] {
  return readSource(path, text)
    .imports.map(({ specifier }) => specifier)
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => posix.join(posix.dirname(path), specifier));
}
