import { createPathRules, narrowWrites } from "../../policy/index.ts";
import { isSource } from "../mutate/strength/list-source.ts";
import { isScript } from "../source/parse-script.ts";
import { recognizeCommand } from "../source/recognize-command.ts";
import type { JudgedTree } from "../verify/judged-tree.ts";
import type { CommandCheck } from "../verify/proof/records/base-record.ts";
import { createCommandWorkshop } from "./command-workshop.ts";
import { listBuilt } from "./generated.ts";
import { type LeftAlone, MAX_SOURCE_BYTES } from "./left-alone.ts";
import type { RepairPorts, RepairRequest } from "./repair-types.ts";
import { createScriptWorkshop } from "./script/script-workshop.ts";
import type { Workshop } from "./workshop.ts";

const MAX_FILES = 5000;

/** The source in scope that may be changed: no tests, no configuration, nothing built, installed or generated. */
export function listRepairable(
  tree: JudgedTree,
  scope: readonly string[],
  policy: RepairPorts["policy"],
): { files: string[]; left: LeftAlone } {
  const rules = narrowWrites(createPathRules(policy), policy, scope);
  const found = tree
    .paths()
    .filter((path) => isSource(path) && tree.lookup(path)?.type === "file" && rules.writable(path));
  const large = found.filter((path) => (tree.lookup(path)?.size ?? 0) > MAX_SOURCE_BYTES);
  const files = found.filter((path) => !large.includes(path)).slice(0, MAX_FILES);
  const generated = files.length > 0 ? [] : listBuilt(tree, rules.writable);
  return { files, left: { generated, large } };
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
