import { lstat } from "node:fs/promises";
import { type Check, DrydockError, readCheckEntry } from "@drydock/protocol";
import * as z from "zod";
import { parseYaml, readYamlText } from "../../base/yaml-files/index.ts";
import { workspaceChecksPath } from "../runs/workspace-checks-path.ts";

const MAX_FILE_BYTES = 4 * 1024 * 1024;

/** A command line or a check, as a check. Errors name the position. */
export const CheckFileEntry = z.unknown().transform((value, context): Check => {
  const read = readCheckEntry(value);
  if (read.ok) return read.check;
  context.addIssue({ code: "custom", path: read.path, message: read.problem });
  return z.NEVER;
});
const CheckList = z.strictObject({
  checks: z.array(CheckFileEntry).min(1, "the list is empty; it needs at least one check").max(1000),
});

export const CHECK_EXAMPLE = "pytest -q, or { type: file_exists, path: README.md }";
const CHECK_EXAMPLES = { checks: "checks: [pytest -q]", "checks.*": `- ${CHECK_EXAMPLE}` };

/** The checks of a YAML or JSON file. Errors name file, line and key. */
export async function readCheckFile(file: string): Promise<Check[]> {
  const text = await readYamlText(file, { what: "list of checks", maxBytes: MAX_FILE_BYTES });
  if (text !== null) return (await parseYaml(file, text, CheckList, CHECK_EXAMPLES)).checks;
  throw new DrydockError("input.invalid", `There is no file ${file}.`, "Check the path.", { file });
}

/** What the repository itself requires; null where it has no such file. A link to nowhere is an error, not the absence. */
export async function readWorkspaceChecks(workspace: string): Promise<Check[] | null> {
  const file = workspaceChecksPath(workspace);
  const isThere = await lstat(file).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== "ENOENT" && error.code !== "ENOTDIR",
  );
  return isThere ? readCheckFile(file) : null;
}
