import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DrydockError } from "@drydock/protocol";

const MAX_FILE_BYTES = 4 * 1024 * 1024;

/** The owner's secrets, and why they must not be used as they lie there; null where there is no file. */
export interface SecretsFile {
  values: Map<string, string>;
  problem: DrydockError | null;
}

export function secretsPath(home: string): string {
  return join(home, "secrets.json");
}

/**
 * Reads what there is, even where it must not be used: what others could read has to be kept out of the records all the
 * more. Synchronous and small, because every dock does it once when it opens, and most have no such file.
 */
export function readSecretsFile(home: string): SecretsFile | null {
  const path = secretsPath(home);
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    const reason = code === "ELOOP" ? "it is a symbolic link" : `it can't be opened (${String(code)})`;
    return { values: new Map(), problem: refused(path, reason, "Put a plain file there that is yours alone.") };
  }
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) return { values: new Map(), problem: refused(path, "it is not a file", "Remove it.") };
    if (stat.size > MAX_FILE_BYTES) {
      return {
        values: new Map(),
        problem: refused(path, "it is larger than 4 MB", "Remove what does not belong there."),
      };
    }
    const values = parseSecrets(readFileSync(descriptor, "utf8"));
    if (values === null) {
      const hint = "Correct it, or remove it and set the secrets again: `drydock secret set NAME`.";
      return { values: new Map(), problem: refused(path, "it does not hold names and values as JSON", hint) };
    }
    const uid = process.getuid?.();
    if (uid !== undefined && stat.uid !== uid) {
      return { values, problem: refused(path, "it belongs to another user", "Make it yours with chown.") };
    }
    if ((stat.mode & 0o077) !== 0) {
      const mode = (stat.mode & 0o777).toString(8).padStart(4, "0");
      const hint = `Take their access away with \`chmod 600 ${path}\`, and replace secrets that somebody may have read.`;
      return { values, problem: refused(path, `others can read or change it (mode ${mode})`, hint) };
    }
    return { values, problem: null };
  } finally {
    closeSync(descriptor);
  }
}

/** What is stored from now on holds none of the owner's secrets. */
export function registerSecrets(home: string, redactor: { learn(value: string, name?: string): void }): void {
  for (const [name, value] of readSecretsFile(home)?.values ?? []) redactor.learn(value, name);
}

function parseSecrets(text: string): Map<string, string> | null {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    // The error's own words would quote the file.
    return null;
  }
  if (typeof content !== "object" || content === null || !("secrets" in content)) return null;
  const { secrets } = content;
  if (typeof secrets !== "object" || secrets === null || Array.isArray(secrets)) return null;
  const entries = Object.entries(secrets);
  return entries.every((entry): entry is [string, string] => typeof entry[1] === "string") ? new Map(entries) : null;
}

function refused(path: string, reason: string, hint: string): DrydockError {
  return new DrydockError("policy.path_denied", `The secrets in ${path} are not used: ${reason}.`, hint, {
    paths: [path],
  });
}
