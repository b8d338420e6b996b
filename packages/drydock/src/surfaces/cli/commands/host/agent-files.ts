import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { DrydockError } from "@drydock/protocol";
import type { Dock } from "../../../../app/index.ts";

/** Files for fields of the settings, each as FIELD=PATH. A field that is named several times holds a list. */
export async function addFiles(dock: Dock, words: readonly string[]): Promise<Record<string, unknown>> {
  const fields: Record<string, unknown[]> = {};
  for (const word of words) {
    const [, field, path] = /^([^=]+)=(.+)$/s.exec(word) ?? [];
    if (field === undefined || path === undefined)
      throw new DrydockError("input.invalid", `${word} names no field and file.`, "Write --file FIELD=PATH.");
    const content = await readFile(path).catch((error: NodeJS.ErrnoException) => {
      throw new DrydockError("input.invalid", `${path} can't be read: ${error.code}.`, "Check that it is there.");
    });
    const file = await dock.host.files.add({ name: basename(path), content });
    fields[field] = [...(fields[field] ?? []), file];
  }
  return Object.fromEntries(
    Object.entries(fields).map(([field, files]) => [field, files.length > 1 ? files : files[0]]),
  );
}
