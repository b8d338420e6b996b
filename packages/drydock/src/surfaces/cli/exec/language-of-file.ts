import { extname } from "node:path";
import type { Language } from "@drydock/protocol";

const BY_ENDING: Record<string, Language> = {
  ".py": "python",
  ".js": "node",
  ".mjs": "node",
  ".cjs": "node",
  ".sh": "bash",
  ".bash": "bash",
};

/** What the ending of a file's name says. */
export function languageOfFile(file: string): Language | undefined {
  return BY_ENDING[extname(file).toLowerCase()];
}
