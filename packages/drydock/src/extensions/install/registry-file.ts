import { statSync } from "node:fs";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DrydockError, ExtensionId, explainIssues, InstalledExtension } from "@drydock/protocol";
import * as z from "zod";

/** An installed extension as the registry keeps it: parsed, so that no YAML is read on the way of a call. */
export const RegistryEntry = InstalledExtension.extend({
  /** Below `extensions/`: `installed/<id>/<version>-<hash>`. */
  directory: z.string().regex(/^installed\/[a-z0-9.-]+\/[0-9A-Za-z.-]+$/),
});
export type RegistryEntry = z.infer<typeof RegistryEntry>;

const RegistryContent = z.object({
  version: z.literal(1),
  extensions: z.array(RegistryEntry),
  /** Those that come with Drydock are there without being installed, unless they are named here. */
  disabledBuiltIns: z.array(ExtensionId),
});
export type RegistryContent = z.infer<typeof RegistryContent>;

const EMPTY: RegistryContent = { version: 1, extensions: [], disabledBuiltIns: [] };

export interface RegistryFile {
  /** The current content; the same object as long as the file was not replaced. */
  read(): Promise<RegistryContent>;
  /** Replaces the whole content: a reader finds the old one or the new one. */
  write(content: RegistryContent): Promise<void>;
}

export function createRegistryFile(path: string): RegistryFile {
  let known: { signature: string; content: RegistryContent } | undefined;
  return {
    async read() {
      const signature = signatureOf(path);
      if (signature === null) return EMPTY;
      if (known?.signature !== signature) known = { signature, content: await load(path) };
      return known.content;
    },
    async write(content) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const temporary = join(dirname(path), ".registry.json.new");
      await rm(temporary, { force: true });
      {
        await using file = await open(temporary, "wx", 0o600);
        await file.writeFile(`${JSON.stringify(content, null, 1)}\n`);
        await file.sync();
      }
      await rename(temporary, path);
      await syncDirectory(dirname(path));
      known = undefined;
    },
  };
}

/** What a rename did is lost with the power until the directory itself is on disk. */
export async function syncDirectory(path: string): Promise<void> {
  await using directory = await open(path, "r");
  await directory.sync();
}

function signatureOf(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.ino}:${found.size}:${found.mtimeNs}:${found.ctimeNs}` : null;
}

async function load(path: string): Promise<RegistryContent> {
  let problem: string;
  try {
    const parsed = RegistryContent.safeParse(JSON.parse(await readFile(path, "utf8")));
    if (parsed.success) return parsed.data;
    problem = explainIssues(parsed.error.issues.slice(0, 5), "the file").join("; ");
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error);
  }
  throw new DrydockError(
    "extension.invalid",
    `${path}: the registry of extensions can't be read: ${problem}`,
    "Restore the file from a backup, or remove it and install the extensions again.",
    { file: path },
  );
}
