import { join, normalize, sep } from "node:path";
import type { ArtifactRef } from "@drydock/protocol";
import type { Runs } from "../../app/index.ts";
import { createBeneath } from "../../base/files/index.ts";
import { writeFailedError } from "./write-out.ts";

const MAX_NAME_BYTES = 255;

/** Whether a file can have this name: `..` and the like name a directory. */
export function canBeSaved(name: string): boolean {
  const below = normalize(join(sep, name));
  const fits = below.split(sep).every((part) => Buffer.byteLength(part) <= MAX_NAME_BYTES);
  return fits && !below.endsWith(sep);
}

/** Writes an artifact below a directory. Its name was chosen by the code: it must lead nowhere else, by links neither. */
export async function saveArtifact(
  runs: Pick<Runs, "streamArtifact">,
  { id, name }: Pick<ArtifactRef, "id" | "name">,
  directory: string,
): Promise<string> {
  const below = normalize(join(sep, name));
  const path = join(directory, below);
  try {
    await using content = await runs.streamArtifact(id);
    await createBeneath(directory, below, content);
  } catch (error) {
    throw writeFailedError(path, error);
  }
  return path;
}
