import { createHash } from "node:crypto";
import { mkdir, open, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";

const Claim = z.object({ fingerprint: z.string(), atMs: z.number(), runId: z.string().nullable() });
export type Claim = z.infer<typeof Claim>;

/**
 * Which keys have been used, on disk: so that a request that is sent again after the server was started anew is not
 * done again. Answers are not kept there, because what code prints may hold secrets; the run's record has none.
 */
export interface Claims {
  /** Takes the key, or gives back who has it already. */
  take(key: string, fingerprint: string): Promise<Claim | null>;
  /** Says which run it became. */
  settle(key: string, fingerprint: string, runId: string | null): Promise<void>;
  release(key: string): Promise<void>;
}

export function createClaims(directory: string, keepMs: number, now: () => number): Claims {
  const fileOf = (key: string) => join(directory, createHash("sha256").update(key).digest("hex"));
  const write = (key: string, claim: Claim) => writeFile(fileOf(key), JSON.stringify(claim), { mode: 0o600 });
  const ready = mkdir(directory, { recursive: true, mode: 0o700 }).then(() => forgetOld(directory, now() - keepMs));
  ready.catch(() => {});
  return {
    async take(key, fingerprint) {
      await ready;
      const claim: Claim = { fingerprint, atMs: now(), runId: null };
      try {
        const handle = await open(fileOf(key), "wx", 0o600);
        await handle.writeFile(JSON.stringify(claim)).finally(() => handle.close());
        return null;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      }
      const found = await readClaim(fileOf(key));
      if (found && found.atMs > now() - keepMs) return found;
      await write(key, claim);
      return null;
    },
    settle: (key, fingerprint, runId) => write(key, { fingerprint, atMs: now(), runId }),
    release: (key) => rm(fileOf(key), { force: true }),
  };
}

/** Null for what can't be read: a crash may have left it empty. */
async function readClaim(file: string): Promise<Claim | null> {
  try {
    return Claim.parse(JSON.parse(await readFile(file, "utf8")));
  } catch {
    return null;
  }
}

async function forgetOld(directory: string, beforeMs: number): Promise<void> {
  for (const name of await readdir(directory)) {
    const file = join(directory, name);
    if ((await stat(file)).mtimeMs < beforeMs) await rm(file, { force: true });
  }
}
