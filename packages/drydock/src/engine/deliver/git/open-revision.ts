import { createHash } from "node:crypto";
import { DrydockError } from "@drydock/protocol";
import { listEntries } from "./read-head.ts";
import { type GitPlace, runGit } from "./run-git.ts";

/** The workspace as a commit holds it. */
export interface Revision {
  commit: string;
  /** Null where the commit has no such file. */
  read(path: string): Promise<Buffer | null>;
  /** Whether the commit has just this content there. Nothing is read for it. */
  isSame(path: string, content: Buffer): boolean;
}

/** Opens what a name means in the workspace's repository: a branch, a tag, a commit, `HEAD~3`. */
export async function openRevision(place: GitPlace, name: string): Promise<Revision> {
  // A name that begins with a dash would be an option; one with a colon, a file.
  if (!/^[\w./@^~{}+#%=,][\w./@^~{}+#%=, -]*$/.test(name))
    throw unknownRevision(name, "it is not a name of a revision");
  const found = await runGit(place, { args: ["rev-parse", "--show-prefix"] });
  if (found.status !== 0) throw unknownRevision(name, `${place.workspace} is not a git working tree`);
  const prefix = found.stdout.toString().replace(/\n$/, "");
  const resolved = await runGit(place, {
    args: ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`],
  });
  const commit = resolved.stdout.toString().trim();
  if (resolved.status !== 0 || !/^[0-9a-f]{40,64}$/.test(commit))
    throw unknownRevision(name, "git knows no such commit");
  const entries = await listEntries(place, commit);
  return {
    commit,
    async read(path) {
      const entry = entries.get(prefix + path);
      if (!entry || entry.mode === "120000" || entry.mode === "160000") return null;
      const { status, stdout } = await runGit(place, { args: ["cat-file", "blob", entry.oid] });
      return status === 0 ? stdout : null;
    },
    isSame(path, content) {
      const oid = entries.get(prefix + path)?.oid;
      const algorithm = oid?.length === 64 ? "sha256" : "sha1";
      return oid === createHash(algorithm).update(`blob ${content.length}\0`).update(content).digest("hex");
    },
  };
}

function unknownRevision(name: string, why: string): DrydockError {
  return new DrydockError(
    "input.invalid",
    `The revision ${JSON.stringify(name.slice(0, 200))} can't be used: ${why}.`,
    "Name a commit, a branch or a tag of the workspace's repository, such as HEAD~1 or main.",
    { revision: name.slice(0, 200) },
  );
}
