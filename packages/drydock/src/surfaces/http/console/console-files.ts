import { readdir, readFile } from "node:fs/promises";
import { extname, join, posix, relative } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

/** Made by the build, from packages/web. */
const DIRECTORY = import.meta.url.endsWith(".ts")
  ? join(import.meta.dirname, "..", "..", "..", "..", "dist", "console")
  : join(import.meta.dirname, "console");

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json",
};

export interface ConsoleFile {
  bytes: Buffer<ArrayBuffer>;
  gzipped: Buffer<ArrayBuffer>;
  type: string;
}

/** The console's files by their paths, such as `assets/main-x.js`; none where it was not built. Only these can be asked for. */
export async function readConsoleFiles(directory = DIRECTORY): Promise<ReadonlyMap<string, ConsoleFile>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return [];
      throw error;
    },
  );
  const files = entries.filter((entry) => entry.isFile() && extname(entry.name) in TYPES);
  const read = await Promise.all(
    files.map(async ({ name, parentPath }): Promise<[string, ConsoleFile]> => {
      const path = join(parentPath, name);
      const bytes = await readFile(path);
      const gzipped = await promisify(gzip)(bytes);
      return [
        relative(directory, path).replaceAll("\\", posix.sep),
        { bytes, gzipped: Buffer.from(gzipped), type: TYPES[extname(name)] ?? "" },
      ];
    }),
  );
  return new Map(read);
}
