import { rm } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { replaceFile } from "../runs/replace-file.ts";
import { readOwnFile } from "./read-own-file.ts";

const ServerFile = z.strictObject({ version: z.literal(1), url: z.url(), auth: z.boolean() });
export type ServerAddress = Omit<z.infer<typeof ServerFile>, "version">;

/** Where the server of this home listens that was started last; for those who look for it on this machine. */
export async function noteServer(home: string, address: ServerAddress): Promise<void> {
  await replaceFile(serverPath(home), `${JSON.stringify({ version: 1, ...address })}\n`);
}

/** Null where none was started, or the last one was closed. One that was killed may still be named. */
export function findServer(home: string): ServerAddress | null {
  const found = readOwnFile(ServerFile, { path: serverPath(home), what: "servers", again: "remove it" });
  return found && { url: found.url, auth: found.auth };
}

/** Another server may have been started since. */
export async function forgetServer(home: string, url: string): Promise<void> {
  if (findServer(home)?.url === url) await rm(serverPath(home), { force: true });
}

function serverPath(home: string): string {
  return join(home, "http", "server.json");
}
