import { posix } from "node:path";
import type { CheckResult } from "@drydock/protocol";
import { findCheckType } from "../../verify/check-types/check-types.ts";

export interface SourceLocation {
  path: string;
  line?: number;
}

/** GitHub takes no more of one result. */
const MAX_PLACES = 10;
/** `tests/test_a.py::test_one`, `src/a.test.ts > adds`: what stands before is a file. */
const FILE_OF_TEST = /^(?<path>[^\s:>]+\.\w{1,8})(?=::|:\d| > |$)/;

/** The files that a result is about, the most telling first. Nothing that is no path of the tree is among them. */
export function listPlaces({ type, check, evidence, tests }: CheckResult): SourceLocation[] {
  const line = toLine(evidence.line);
  const changed = Array.isArray(evidence.changed) ? evidence.changed : [];
  const ofTests = [...(tests?.newlyFailing ?? []), ...(tests?.missing ?? []), ...(tests?.skipped ?? [])];
  const found: { path: unknown; line?: number }[] = [
    { path: evidence.path, line },
    ...(findCheckType(type)?.isAboutPath ? [{ path: check.path, line }] : []),
    ...changed.map((each: unknown) => ({ path: (each as { path?: unknown } | null)?.path })),
    ...ofTests.map((id) => ({ path: FILE_OF_TEST.exec(id)?.groups?.path })),
  ];
  const places = new Map<string, SourceLocation>();
  for (const place of found) {
    const path = toTreePath(place.path);
    if (path !== null && !places.has(path)) places.set(path, { ...place, path });
  }
  return [...places.values()].slice(0, MAX_PLACES);
}

/** `prefix`: where the tree lies, seen from the directory that the reader has. */
export function toLocation({ path, line }: SourceLocation, prefix: string): object {
  const uri = [...prefix.split("/"), ...path.split("/")]
    .filter((part) => part !== "")
    .map((part) => encodeURIComponent(part.toWellFormed()))
    .join("/");
  const region = toLine(line);
  return { physicalLocation: { artifactLocation: { uri }, ...(region && { region: { startLine: region } }) } };
}

function toTreePath(value: unknown): string | null {
  if (typeof value !== "string" || value === "" || value.length > 4096) return null;
  const path = posix.normalize(value);
  return path === "." || path.startsWith("/") || path.split("/").includes("..") ? null : path;
}

function toLine(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}
