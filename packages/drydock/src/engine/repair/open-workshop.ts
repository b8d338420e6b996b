import type { Check } from "@drydock/protocol";
import { createPathRules, narrowWrites } from "../../policy/index.ts";
import { isScript } from "../mutate/parse-script.ts";
import { isSource } from "../mutate/strength/list-source.ts";
import { recognizeCommand } from "../mutate/strength/recognize-command.ts";
import type { JudgedTree } from "../verify/judged-tree.ts";
import { listBuilt } from "./generated.ts";
import { createPythonWorkshop } from "./python/python-workshop.ts";
import type { RepairPorts, RepairRequest } from "./repair.ts";
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
  check: Extract<Check, { type: "command" }>,
  files: readonly string[],
): Promise<Workshop> {
  const command = await recognizeCommand(check, request.tree);
  if (command?.language === "node") {
    const scripts = files.filter(isScript);
    return createScriptWorkshop(request, ports, scripts, command);
  }
  if (command) {
    const python = files.filter((path) => path.endsWith(".py"));
    return createPythonWorkshop(request, ports, check, { files: python, way: { command } });
  }
  return createPythonWorkshop(request, ports, check, { files, way: { shell: check.cmd } });
}
