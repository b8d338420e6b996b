import { createHash, randomBytes } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { PackedPlugin } from "../api.ts";
import { readPluginManifest } from "./read-plugin.ts";
import { readPluginFiles } from "./stage-plugin.ts";
import { writeTar } from "./write-tar.ts";

const compress = promisify(gzip) as (data: Buffer, options: { level: number }) => Promise<Buffer>;

/** One archive with all files of a plugin. The same files give the same archive, and so the same hash. */
export async function packPlugin(directory: string, { file }: { file?: string } = {}): Promise<PackedPlugin> {
  const source = resolve(directory);
  const manifest = await readPluginManifest(source);
  const files = await readPluginFiles(source);
  const { author, name, version } = manifest;
  const bytes = await compress(writeTar(files.map(({ path, content }) => ({ path: `package/${path}`, content }))), {
    level: 9,
  });
  const target = resolve(file ?? `${author}-${name}-${version}.tgz`);
  const fresh = `${target}.${randomBytes(6).toString("hex")}`;
  try {
    await writeFile(fresh, bytes, { flag: "wx" });
    await rename(fresh, target);
  } finally {
    await rm(fresh, { force: true });
  }
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { id: `${author}/${name}`, version, file: target, sha256, bytes: bytes.length, files: files.length };
}
