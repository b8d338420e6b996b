import type { WorkTree } from "../../sandbox/index.ts";
import { findCommands } from "../profile/find-commands.ts";
import { isSkipped } from "../profile/scan-workspace.ts";
import { readText } from "../read-text.ts";

const TESTS = /^(cd [^&]+ && )?(pytest|python3 -m (pytest|unittest)|node --test|(npm|pnpm|yarn|bun) test)\b/;
const PACKAGE_TEST = /^(?:cd ([^&]+) && )?(?:npm|pnpm|yarn|bun) test$/;
/** A script that is one of those commands itself, without anything for a shell in it. */
const PLAIN_SCRIPT = /^(pytest|python3 -m (pytest|unittest)|node --test)( [\w./*=:@-]+)*$/;

/** How the workspace's tests are run, by the rules that its profile is made with. Files are read, and nothing is run. */
export async function findTestCommands(tree: WorkTree): Promise<string[]> {
  const paths = tree.files().flatMap(({ path }) => (isSkipped(path) ? [] : [path]));
  const read = (path: string) => readText(tree, path);
  const found = await findCommands({ paths: paths.sort(), truncated: false, read });
  const commands: string[] = [];
  for (const { command } of found) if (TESTS.test(command)) commands.push(await unwrapScript(command, read));
  return [...new Set(commands)];
}

/** `npm test` starts one more process for each run of the tests: where its script is a plain command, that is used. */
async function unwrapScript(command: string, read: (path: string) => Promise<string | null>): Promise<string> {
  const match = PACKAGE_TEST.exec(command);
  if (!match) return command;
  const directory = match[1];
  const text = await read(directory === undefined ? "package.json" : `${directory}/package.json`);
  const script = readTestScript(text);
  if (script === null || !PLAIN_SCRIPT.test(script)) return command;
  return directory === undefined ? script : `cd ${directory} && ${script}`;
}

function readTestScript(text: string | null): string | null {
  try {
    const { test } = Object(JSON.parse(text ?? "null")).scripts ?? {};
    return typeof test === "string" ? test.trim() : null;
  } catch {
    return null;
  }
}
