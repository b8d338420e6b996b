import { DrydockError } from "@drydock/protocol";
import { cutText } from "../../../base/text/index.ts";
import { checkFileSet, describePathProblem, MAX_FILES, MAX_TOTAL_BYTES } from "../../format/list-files.ts";

/** A plain file out of an archive. Nothing else ever comes out of one. */
export interface ArchiveFile {
  path: string;
  executable: boolean;
  content: Buffer;
}

export function badArchive(
  what: string,
  hint = "Make the archive again from plain files, or get it anew.",
): DrydockError {
  return new DrydockError("extension.invalid", `The archive can't be unpacked: ${what}.`, hint);
}

const MAX_QUOTED_CHARS = 200;

/** A name out of an archive, for a message: it may be of any length. */
export function quoteName(name: string): string {
  return JSON.stringify(cutText(name, MAX_QUOTED_CHARS));
}

/** Collects what an archive holds, and refuses whatever could lead out of the place that it is unpacked in. */
export function createCollector() {
  const files: ArchiveFile[] = [];
  const folders = new Set<string>();
  const seen = new Set<string>();
  let total = 0;
  let entries = 0;
  /** Null for the root itself. */
  const accept = (name: string): string | null => {
    entries += 1;
    if (entries > MAX_FILES) throw badArchive(`it holds more than ${MAX_FILES} entries`);
    const path = name.replace(/^(\.\/)+/, "").replace(/\/+$/, "");
    if (path === "" || path === ".") return null;
    const problem = describePathProblem(path);
    if (problem !== null) throw badArchive(`${quoteName(name)} ${problem}`);
    return path;
  };
  return {
    addFolder(name: string): void {
      const path = accept(name);
      if (path !== null) folders.add(path);
    },
    /** Called before the content is read, so that nothing too large is ever in memory. */
    expectBytes(size: number): void {
      total += size;
      if (total > MAX_TOTAL_BYTES) throw badArchive(`it holds more than ${MAX_TOTAL_BYTES / 1024 / 1024} MB`);
    },
    addFile(name: string, executable: boolean, content: Buffer): void {
      const path = accept(name);
      if (path === null || name.endsWith("/")) throw badArchive(`${quoteName(name)} is not a file name`);
      if (seen.has(path)) throw badArchive(`${path} is in it twice`);
      seen.add(path);
      files.push({ path, executable, content });
    },
    finish(): ArchiveFile[] {
      for (const { path } of files) {
        const parts = path.split("/");
        for (let length = 1; length < parts.length; length++) folders.add(parts.slice(0, length).join("/"));
      }
      const both = files.find(({ path }) => folders.has(path));
      if (both) throw badArchive(`${both.path} is both a file and a folder`);
      const [wrong] = checkFileSet(files.map((file) => ({ ...file, size: file.content.length })));
      if (wrong) throw badArchive(`${wrong.file} ${wrong.message}`);
      return files;
    },
  };
}

export function refuseEntry(name: string, kind: string): DrydockError {
  return badArchive(
    `${quoteName(name)} is ${kind}`,
    "An extension's archive holds plain files and folders only; put the file itself where the link is.",
  );
}
