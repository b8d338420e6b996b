import { resolve } from "node:path";
import { loadDelivery } from "../engine/index.ts";
import { readConfig } from "./config.ts";

/** Adds an anchor to the notes of the commit that is checked out in a repository of the owner's. Gives the commit. */
export async function noteAnchor(repository: string, line: string): Promise<string> {
  const { noteHead } = await loadDelivery();
  return noteHead({ workspace: resolve(repository), searchPath: readConfig().searchPath }, line);
}
