import type { DrydockError, InstalledExtension } from "@drydock/protocol";
import { nameConflictError } from "../errors.ts";

/** Commands and aliases are one namespace over all extensions that are enabled. */
export function findConflict(
  { manifest, commands }: Pick<InstalledExtension, "manifest" | "commands">,
  others: Iterable<Pick<InstalledExtension, "manifest" | "commands" | "state">>,
): DrydockError | null {
  const words = new Set(commands.flatMap(({ name, aliases }) => [name, ...aliases]));
  for (const other of others) {
    if (other.state !== "enabled" || other.manifest.id === manifest.id) continue;
    for (const { name, aliases } of other.commands) {
      const taken = [name, ...aliases].find((word) => words.has(word));
      if (taken) return nameConflictError(`The command /${taken}`, manifest.id, other.manifest.id);
    }
  }
  return null;
}
