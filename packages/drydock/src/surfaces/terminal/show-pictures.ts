import { existsSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { join, parse } from "node:path";
import { type ArtifactRef, DrydockError } from "@drydock/protocol";
import { type Dock, readConfig } from "../../app/index.ts";
import { cleanLine } from "./clean-text.ts";
import { choosePictureProtocol, writePicture } from "./picture-protocol.ts";
import { renderError } from "./render/render-error.ts";
import { renderBytes } from "./render/render-quantities.ts";
import { saveArtifact } from "./save-artifact.ts";
import type { Terminal } from "./terminal.ts";

const MAX_SHOWN_BYTES = 8 * 1024 * 1024;
const MOST_NAMES = 1000;

/**
 * Shows what code made. Pictures stand in the text where the terminal can show them; every file is named with its path,
 * below `out` or in a temporary directory.
 */
export async function showPictures(
  terminal: Terminal,
  { runs }: Pick<Dock, "runs">,
  artifacts: readonly ArtifactRef[],
  out?: string,
): Promise<{ name: string; file: string }[]> {
  if (artifacts.length === 0) return [];
  const { environment, temporary } = readConfig();
  const hasPicture = artifacts.some(canBeShown);
  const protocol = hasPicture ? await choosePictureProtocol(terminal, environment) : null;
  const directory = out ?? (await mkdtemp(join(temporary, "drydock-files-")));
  const saved: { name: string; file: string }[] = [];
  const taken = new Set<string>();
  for (const artifact of artifacts) {
    const { id, name, mime, size } = artifact;
    if (protocol !== null && canBeShown(artifact)) {
      terminal.control.out((await writePicture(protocol, await runs.readArtifact(id))) ?? "");
    }
    try {
      const file = await saveUnderFreeName(runs, artifact, directory, taken);
      saved.push({ name, file });
      terminal.err(`${cleanLine(file)} ${terminal.errColors.dim(`(${mime}, ${renderBytes(size)})`)}\n`);
    } catch (error) {
      // The answer is there, and so are the other files.
      if (!(error instanceof DrydockError)) throw error;
      terminal.err(renderError(error.toInfo(), terminal.errColors));
    }
  }
  return saved;
}

function canBeShown({ mime, size }: ArtifactRef): boolean {
  return mime === "image/png" && size <= MAX_SHOWN_BYTES;
}

/**
 * Steps name their figures alike, and an earlier answer may have left one in the directory: the second `figure-1.png` becomes
 * `figure-1-2.png`.
 */
async function saveUnderFreeName(
  runs: Dock["runs"],
  { id, name }: ArtifactRef,
  directory: string,
  taken: Set<string>,
): Promise<string> {
  const { dir, name: stem, ext } = parse(name);
  for (let number = 1; ; number++) {
    const free = number === 1 ? name : join(dir, `${stem}-${number}${ext}`);
    if (taken.has(free)) continue;
    taken.add(free);
    try {
      return await saveArtifact(runs, { id, name: free }, directory);
    } catch (error) {
      if (number === MOST_NAMES || !existsSync(join(directory, free))) throw error;
    }
  }
}
