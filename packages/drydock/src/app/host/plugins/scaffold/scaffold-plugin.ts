import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { DrydockError } from "@drydock/protocol";
import { PluginManifest } from "@drydock/protocol/runner";
import { PLUGIN_LANGUAGES, type PluginLanguage } from "../../api.ts";
import { placeRunnerSdk } from "../../runner-sdk.ts";
import { writePythonPlugin } from "./python-plugin.ts";
import { writeTypeScriptPlugin } from "./typescript-plugin.ts";

const WRITERS = { typescript: writeTypeScriptPlugin, python: writePythonPlugin };
const RUNTIMES = { typescript: "node", python: "python" } as const;

/** Writes a plugin to start from: it is valid, its test passes, and it can be added. Gives its directory. */
export async function scaffoldPlugin(
  id: string,
  { language = "typescript", directory: parent = "." }: { language?: PluginLanguage; directory?: string } = {},
): Promise<string> {
  const [author = "", name = "", ...more] = id.split("/");
  const shape = PluginManifest.shape;
  if (!shape.author.safeParse(author).success || !shape.name.safeParse(name).success || more.length > 0) {
    const hint = "Give AUTHOR/NAME, both of letters, digits, `.`, `_` and `-`, such as ada/greeter.";
    throw new DrydockError("input.invalid", `${JSON.stringify(id)} is not an id for a plugin.`, hint, { id });
  }
  if (!PLUGIN_LANGUAGES.includes(language)) {
    const hint = `Choose one of ${PLUGIN_LANGUAGES.join(", ")}.`;
    throw new DrydockError("input.invalid", `There is no template for ${language}.`, hint, { language });
  }
  const directory = resolve(parent, name);
  await mkdir(dirname(directory), { recursive: true });
  try {
    await mkdir(directory);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    const hint = "Choose another name or another directory (--dir); nothing is overwritten.";
    throw new DrydockError("input.invalid", `${directory} is there already.`, hint, { directory }, error);
  }
  for (const [path, text] of Object.entries(WRITERS[language]({ author, name })))
    await writeFile(join(directory, path), text, { flag: "wx" });
  await placeRunnerSdk(directory, RUNTIMES[language]);
  return directory;
}
