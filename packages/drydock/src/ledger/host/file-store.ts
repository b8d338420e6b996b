import * as z from "zod";
import type { LedgerContext } from "../ledger-context.ts";
import { createValueStore } from "./value-store.ts";

const StoredFile = z.object({ name: z.string(), mime: z.string().nullable(), content: z.base64() });

export interface HostFile {
  name: string;
  mime: string | null;
  content: Buffer;
}

/** Files that settings of agents name. They are the owner's own, and kept as they are. */
export interface FileStore {
  /** Its key. */
  add(file: HostFile): Promise<string>;
  get(key: string): Promise<HostFile | null>;
  /** False where there is no such file. */
  remove(key: string): Promise<boolean>;
}

const OWNER = "files";

export function createFileStore(context: LedgerContext): FileStore {
  const values = createValueStore(context);
  return {
    async add({ name, mime, content }) {
      const key = context.newId("file");
      await values.set(OWNER, key, JSON.stringify({ name, mime, content: content.toString("base64") }));
      return key;
    },
    async get(key) {
      const text = await values.get(OWNER, key);
      if (text === null) return null;
      const { name, mime, content } = StoredFile.parse(JSON.parse(text));
      return { name, mime, content: Buffer.from(content, "base64") };
    },
    async remove(key) {
      const found = (await values.get(OWNER, key)) !== null;
      await values.delete(OWNER, key);
      return found;
    },
  };
}
