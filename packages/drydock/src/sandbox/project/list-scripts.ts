import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readSmallFile } from "./read-small-file.ts";

const MAX_SCRIPTS = 1000;
/** The first line of a script, or the two by which pip writes one whose interpreter has a long path. */
const HEAD_BYTES = 4096;
const OF_PYTHON =
  /^#!\s*(?:"?\/[^\n]*\/python[\d.]*"?(?:[ \t][^\n]*)?|\/bin\/sh\n'''exec' [^\n]*\/python[\d.]*"? [^\n]*)\r?\n/;
const PLAIN_NAME = /^[A-Za-z0-9_][\w.+-]{0,99}$/;

/**
 * The programs in a directory that begin with the path of a Python: of one that does not exist inside, as a rule. A link
 * to another directory is not followed: its names may be those of the owner's programs.
 */
export function listScripts(bin: string): string[] {
  const isScript = (name: string) =>
    PLAIN_NAME.test(name) &&
    !/^python[\d.]*$/.test(name) &&
    OF_PYTHON.test(readSmallFile(join(bin, name), HEAD_BYTES) ?? "");
  try {
    if (!lstatSync(bin).isDirectory()) return [];
    return readdirSync(bin).sort().slice(0, MAX_SCRIPTS).filter(isScript);
  } catch {
    return [];
  }
}
