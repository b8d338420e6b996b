import { DrydockError } from "@drydock/protocol";
import { waitForFileLock } from "../../base/locks/index.ts";
import { homePolicyPath } from "./create-policies.ts";

const PATIENCE_MS = 10_000;

/** Edits the owner's policy while no other process does: an edit reads the file, and writes it as a whole. */
export async function editHomePolicy<T>(home: string, edit: (path: string) => Promise<T>): Promise<T> {
  const path = homePolicyPath(home);
  const refuse = () =>
    new DrydockError("policy.invalid", `Another process is editing ${path}.`, "Try again when it is done.", {
      file: path,
    });
  using _lock = await waitForFileLock(`${path}.lock`, { patienceMs: PATIENCE_MS, refuse });
  return await edit(path);
}
