import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished } from "vitest";
import { type Files, writeFiles } from "./write-files.ts";

/** A directory with these files, gone when the test is over. */
export function makeTemporaryDirectory(files: Files = {}): string {
  const directory = make();
  onTestFinished(() => remove(directory));
  writeFiles(directory, files);
  return directory;
}

/** A directory for all tests of a file, gone after the last. What is registered after it (a dock's end) comes before. */
export function useTemporaryDirectory(): string {
  const directory = make();
  afterAll(() => remove(directory));
  return directory;
}

function make(): string {
  return mkdtempSync(join(tmpdir(), "drydock-test-"));
}

function remove(directory: string): void {
  rmSync(directory, { recursive: true, force: true });
}
