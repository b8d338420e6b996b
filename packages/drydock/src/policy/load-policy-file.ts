import { constants } from "node:fs";
import { lstat, open } from "node:fs/promises";
import { DrydockError, type PolicyDocument } from "@drydock/protocol";
import type { Position } from "../base/text/index.ts";

/** A policy file that was read and found valid. */
export interface PolicySource {
  file: string;
  document: PolicyDocument;
  /** Where each key and list entry stands, by its dotted path (`network.allow.0`). */
  positions: Readonly<Record<string, Position>>;
}

const MAX_FILE_BYTES = 256 * 1024;

/** Null only where there is no file. Whatever can't be read and understood in full is an error, and nothing runs. */
export async function loadPolicyFile(path: string): Promise<PolicySource | null> {
  const text = await readPolicyText(path);
  if (text === null) return null;
  // Most homes have no policy: what it takes to read one is loaded only where there is one.
  const { parsePolicyText } = await import("./parse-policy-text.ts");
  return parsePolicyText(path, text);
}

export async function readPolicyText(path: string): Promise<string | null> {
  const fail = (reason: string, cause?: unknown) =>
    new DrydockError(
      "policy.invalid",
      `${path}: the policy file can't be read: ${reason}`,
      "Make it a readable file, or remove it.",
      { file: path },
      cause,
    );
  try {
    // Without O_NONBLOCK, a named pipe in the file's place would block the start of a run.
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = await file.stat();
    if (!stat.isFile()) throw fail("it is not a regular file");
    const buffer = Buffer.alloc(MAX_FILE_BYTES + 1);
    let length = 0;
    for (let bytesRead = -1; bytesRead !== 0 && length < buffer.length; length += bytesRead) {
      ({ bytesRead } = await file.read(buffer, length, buffer.length - length, length));
    }
    if (length > MAX_FILE_BYTES) throw fail(`it is larger than ${MAX_FILE_BYTES} bytes`);
    return new TextDecoder("utf-8", { fatal: true }).decode(buffer.subarray(0, length));
  } catch (error) {
    if (error instanceof DrydockError) throw error;
    if (error instanceof Error && "code" in error && error.code === "ENOENT" && !(await existsAsLink(path)))
      return null;
    throw fail(error instanceof Error ? error.message : String(error), error);
  }
}

/** A link to nowhere is not the absence of a policy. */
async function existsAsLink(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
