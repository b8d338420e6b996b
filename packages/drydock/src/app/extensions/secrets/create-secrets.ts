import { mkdir } from "node:fs/promises";
import { DrydockError, explainFullDisk } from "@drydock/protocol";
import { putFile } from "../../../base/files/index.ts";
import { waitForLock } from "../../../extensions/index.ts";
import type { Redactor } from "../../../ledger/index.ts";
import type { Secrets } from "../api.ts";
import { readSecretsFile, secretsPath } from "./secrets-file.ts";

/** What the dock's users see of secrets, and the one thing that only runners may do. */
export interface SecretStore extends Secrets {
  /** Null where there is none. From here on it is kept out of whatever is stored. */
  read(name: string): Promise<string | null>;
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const MAX_NAME_LENGTH = 128;
/** Whatever is shorter is found in innocent places, too, and could not be kept out of the records. */
const MIN_VALUE_LENGTH = 6;
const MAX_VALUE_LENGTH = 64 * 1024;

export function createSecrets({ home, redactor }: { home: string; redactor: Redactor }): SecretStore {
  function load(): Map<string, string> {
    const file = readSecretsFile(home);
    if (file?.problem) throw file.problem;
    const values = file?.values ?? new Map();
    // Another process may have set some since this dock was opened.
    for (const [name, value] of values) redactor.learn(value, name);
    return values;
  }

  /** One at a time over all processes, so that none undoes another's change. */
  async function change<T>(edit: (values: Map<string, string>) => T): Promise<T> {
    await mkdir(home, { recursive: true, mode: 0o700 });
    using _lock = await waitForLock(`${secretsPath(home)}.lock`);
    const values = load();
    const result = edit(values);
    await replaceSecrets(secretsPath(home), values);
    return result;
  }

  return {
    async set(name, value) {
      refuseName(name);
      refuseValue(name, value);
      redactor.learn(value, name);
      await change((values) => values.set(name, value));
    },
    list: async () => [...load().keys()].sort(),
    async remove(name) {
      if (!load().has(name)) return false;
      return change((values) => values.delete(name));
    },
    read: async (name) => load().get(name) ?? null,
  };
}

async function replaceSecrets(path: string, values: ReadonlyMap<string, string>): Promise<void> {
  try {
    await putFile(path, `${JSON.stringify({ version: 1, secrets: Object.fromEntries(values) }, null, 1)}\n`);
  } catch (error) {
    throw explainFullDisk(error, path) ?? error;
  }
}

function refuseName(name: string): void {
  if (NAME.test(name) && name.length <= MAX_NAME_LENGTH && name !== "__proto__") return;
  throw new DrydockError(
    "input.invalid",
    // What stands behind an equals sign is a value that somebody typed in the wrong place.
    `${JSON.stringify(name.replace(/=.*/s, "=…").slice(0, MAX_NAME_LENGTH))} is not a name for a secret.`,
    "Use letters, digits and _, not beginning with a digit, like GITHUB_TOKEN. The value is not given with it.",
  );
}

/** The reasons name the secret, and say nothing of its value. */
function refuseValue(name: string, value: string): void {
  const reason =
    value.length < MIN_VALUE_LENGTH
      ? `has less than ${MIN_VALUE_LENGTH} characters: it would be found everywhere, and could not be kept out of records`
      : value.length > MAX_VALUE_LENGTH
        ? "is longer than 64 KB"
        : value.includes("\0")
          ? "holds a NUL, which no request can carry"
          : !value.isWellFormed()
            ? "is not valid text"
            : value.trim() === ""
              ? "is nothing but blanks"
              : null;
  if (reason === null) return;
  throw new DrydockError(
    "input.invalid",
    `The value of ${name} ${reason}.`,
    "Nothing was stored. Give another value.",
    {
      secret: name,
    },
  );
}
