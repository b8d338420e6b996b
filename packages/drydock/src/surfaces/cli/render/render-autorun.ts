import type { AutorunFile } from "@drydock/protocol";
import { cleanLine } from "../../terminal/clean-text.ts";

/** Files that run by themselves, a line each. */
export function renderAutorun(files: readonly AutorunFile[]): string {
  return files.map(({ path, reason }) => `  ${cleanLine(path)} (${cleanLine(reason)})\n`).join("");
}
