import { statSync } from "node:fs";
import { resolve } from "node:path";
import { DrydockError } from "@drydock/protocol";
import { loadDelivery } from "../../engine/index.ts";
import { readConfig } from "../config.ts";

/** Adds an anchor to the notes of the commit that is checked out in a repository of the owner's. Gives the commit. */
export async function noteAnchor(repository: string, line: string): Promise<string> {
  const workspace = resolve(repository);
  if (!statSync(workspace, { throwIfNoEntry: false })?.isDirectory()) {
    throw new DrydockError("input.invalid", `${workspace} is not a directory.`, "Name a repository: --git-note REPO.");
  }
  const { noteHead } = await loadDelivery();
  return noteHead({ workspace, searchPath: readConfig().searchPath }, line);
}
