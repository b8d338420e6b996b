import { Readable } from "node:stream";
import { DrydockError } from "@drydock/protocol";
import { type GitPlace, runGit } from "./run-git.ts";

const IDENTITY = ["-c", "user.name=Drydock", "-c", "user.email=drydock@localhost"];

/** Adds a text to the notes of the commit that is checked out (`refs/notes/drydock`). Gives the commit. */
export async function noteHead(place: GitPlace, text: string): Promise<string> {
  const found = await runGit(place, { args: ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"] });
  if (found.status !== 0) {
    throw new DrydockError(
      "input.invalid",
      `No git note can be written in ${place.workspace}: it is not a repository with a commit.`,
      "Name a repository: --git-note REPO.",
      { workspace: place.workspace },
    );
  }
  const commit = found.stdout.toString().trim();
  const input = Readable.from([text], { objectMode: false });
  const args = [...IDENTITY, "notes", "--ref=drydock", "append", "--file=-", commit];
  const noted = await runGit(place, { args, input });
  if (noted.status === 0) return commit;
  throw new DrydockError(
    "input.invalid",
    `git notes failed in ${place.workspace} (status ${noted.status}): ${noted.stderr.slice(0, 500)}`,
    "Correct what git says, or write the head to a file: --file FILE.",
    { workspace: place.workspace },
  );
}
