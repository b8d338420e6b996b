import { randomBytes } from "node:crypto";
import { chmod, mkdir, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DrydockError } from "@drydock/protocol";

export interface KeptToken {
  token: string;
  file: string;
  /** It was made just now. */
  isNew: boolean;
}

const MIN_CHARS = 16;

/** The token that callers of this home's server must show. It is made once, and only its owner can read the file. */
export async function readToken(home: string): Promise<KeptToken> {
  const file = join(home, "http-token");
  await mkdir(home, { recursive: true, mode: 0o700 });
  const made = randomBytes(32).toString("base64url");
  try {
    // Of two servers that start at once, one makes it and the other reads it.
    const handle = await open(file, "wx", 0o600);
    await handle.writeFile(`${made}\n`).finally(() => handle.close());
    return { token: made, file, isNew: true };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  await chmod(file, 0o600);
  const token = (await readFile(file, "utf8")).trim();
  if (token.length >= MIN_CHARS) return { token, file, isNew: false };
  throw new DrydockError(
    "input.invalid",
    `The token in ${file} is shorter than ${MIN_CHARS} characters.`,
    "Remove the file: the next start makes another.",
    { file },
  );
}
