import { type Check, CheckFile, DrydockError } from "@drydock/protocol";

const MAX_FILE_BYTES = 4 * 1024 * 1024;

/** The checks of a YAML or JSON file. What is wrong with it is told with file, line and key. */
export async function readChecks(file: string): Promise<Check[]> {
  const { parseYaml, readYamlText } = await import("../../models/index.ts");
  const text = await readYamlText(file, { what: "list of checks", maxBytes: MAX_FILE_BYTES });
  if (text === null) {
    const hint = "Check the path given to --checks.";
    throw new DrydockError("input.invalid", `There is no file ${file}.`, hint, { file });
  }
  return (await parseYaml(file, text, CheckFile)).checks;
}
