import { createPathRules, narrowWrites } from "../../policy/index.ts";
import { isSource } from "../mutate/strength/list-source.ts";
import { isScript } from "../source/parse-script.ts";
import { recognizeCommand } from "../source/recognize-command.ts";
import type { JudgedTree } from "../verify/judged-tree.ts";
import type { CommandCheck } from "../verify/proof/records/base-record.ts";
import { createCommandWorkshop } from "./command-workshop.ts";
import { listBuilt } from "./generated.ts";
import type { RepairPorts, RepairRequest } from "./repair-types.ts";
import { createScriptWorkshop } from "./script/script-workshop.ts";
import type { Workshop } from "./workshop.ts";

const MAX_BYTES = 1024 * 1024;
const MAX_FILES = 5000;

/** The source in scope that may be changed: no tests, no configuration, nothing built, installed or generated. */
export function listRepairable(
  tree: JudgedTree,
  scope: readonly string[],
  policy: RepairPorts["policy"],
): { files: string[]; built: string[] } {
  const rules = narrowWrites(createPathRules(policy), policy, scope);
  const isFile = (path: string) => {
    const entry = tree.lookup(path);
    return entry?.type === "file" && (entry.size ?? 0) <= MAX_BYTES;
  };
  const files = tree
    .paths()
    .filter((path) => isSource(path) && isFile(path) && rules.writable(path))
    .slice(0, MAX_FILES);
  return { files, built: files.length > 0 ? [] : listBuilt(tree, rules.writable) };
}

/** The way to run one check many times, and to change the source that it runs. */
export async function openWorkshop(
  request: RepairRequest,
  ports: RepairPorts,
  check: CommandCheck,
  files: readonly string[],
): Promise<Workshop> {
  const command = await recognizeCommand(check, request.tree);
  if (command?.language === "node") {
    const scripts = files.filter(isScript);
    return createScriptWorkshop(request, ports, scripts, command);
  }
  if (command) {
    const python = files.filter((path) => path.endsWith(".py"));
    return createCommandWorkshop(request, ports, check, { files: python, way: { command } });
  }
  return createCommandWorkshop(request, ports, check, { files, way: { shell: check.cmd } });
}
