import {
  DrydockError,
  type ExtensionCommands,
  type ExtensionManifest,
  type ExtensionProblem,
  RESERVED_WORDS,
} from "@drydock/protocol";
import type { EnabledCommand } from "../install/types.ts";
import { route, splitWords } from "../router/index.ts";
import { type Complain, checkAction } from "./check-action.ts";
import type { HashedFile } from "./hash-files.ts";
import type { YamlFile } from "./read-yaml.ts";

/** What the shape alone can't tell about `commands.yaml`. */
export function checkCommands(
  file: YamlFile<unknown>,
  { commands }: ExtensionCommands,
  manifest: ExtensionManifest,
  files: readonly HashedFile[],
): ExtensionProblem[] {
  const problems: ExtensionProblem[] = [];
  const complain: Complain = (path, message, severity) => problems.push(file.complain(path, message, severity));
  const own = commands.map((command) => ({ extension: manifest.id, command }));
  const words = new Map<string, string>();
  commands.forEach((command, index) => {
    const at = ["commands", index];
    const claim = (word: string, path: PropertyKey[]) => {
      const holder = words.get(word);
      if (RESERVED_WORDS.includes(word)) complain(path, `/${word} belongs to Drydock itself; use another name`);
      else if (holder) complain(path, `/${word} is claimed by ${holder} already`);
      words.set(word, holder ?? `commands[${index}]`);
    };
    claim(command.name, [...at, "name"]);
    command.aliases.forEach((alias, aliasAt) => {
      claim(alias, [...at, "aliases", aliasAt]);
    });
    const names = command.actions.map(({ name }) => name);
    if (command.default !== undefined && !names.includes(command.default))
      complain([...at, "default"], `there is no action ${command.default}; there are ${names.join(", ")}`);
    command.actions.forEach((action, actionAt) => {
      const path = [...at, "actions", actionAt];
      if (names.indexOf(action.name) < actionAt) complain([...path, "name"], `${action.name} is there already`);
      if (action.name === "help") complain([...path, "name"], "help shows the help of the command; use another name");
      checkAction(action, manifest, files, (inner, message, severity) =>
        complain([...path, ...inner], message, severity),
      );
      action.examples.forEach((example, exampleAt) => {
        const problem = describeExampleProblem(example, own);
        if (problem !== null) complain([...path, "examples", exampleAt], problem);
      });
    });
  });
  return problems;
}

/** An example is tried as if somebody typed it, as far as it calls the extension itself. */
function describeExampleProblem(example: string, own: readonly EnabledCommand[]): string | null {
  try {
    const words = own.flatMap(({ command }) => [command.name, ...command.aliases]).map((name) => `/${name}`);
    const calls = splitWords(example).map(([first]) => first?.text ?? "");
    if (!calls.some((call) => words.includes(call))) return `must call ${words.join(" or ")}`;
    if (calls.every((call) => words.includes(call))) route(example, own);
    return null;
  } catch (error) {
    if (!(error instanceof DrydockError)) throw error;
    return `does not work: ${error.message}`;
  }
}
