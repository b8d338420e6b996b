import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join, normalize, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import type { ArtifactRef } from "@drydock/protocol";
import type { Runs } from "../../app/index.ts";
import { writeFailedError } from "./write-out.ts";

/** Writes an artifact below a directory. Its name was chosen by the code: it must lead nowhere else. */
export async function saveArtifact(
  runs: Pick<Runs, "streamArtifact">,
  { id, name }: Pick<ArtifactRef, "id" | "name">,
  directory: string,
): Promise<string> {
  const path = join(directory, normalize(join(sep, name)));
  try {
    await mkdir(dirname(path), { recursive: true });
    await pipeline(await runs.streamArtifact(id), createWriteStream(path, { flags: "wx" }));
  } catch (error) {
    throw writeFailedError(path, error);
  }
  return path;
}
