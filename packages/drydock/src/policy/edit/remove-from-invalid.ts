import { DrydockError } from "@drydock/protocol";
import { readPolicyText } from "../load-policy-file.ts";
import { parsePolicyText } from "../parse-policy-text.ts";
import { removeNode, replacePolicyText } from "./policy-file.ts";

/** A key that was removed from a file that is no valid policy. The values before and after are not known. */
export interface PolicyRepair {
  file: string;
  key: string;
  /** What is still wrong with the file; empty where it is valid now. */
  problems: string[];
}

/**
 * Removes a key from a policy file that is not valid, whether the policy knows the key or not: such a key is often what is
 * wrong. While the file is not valid nothing runs, so that nothing is permitted by a removal. `invalid` is thrown where the
 * file has no such key, or is not even YAML.
 */
export async function removeFromInvalid(path: string, keyPath: string, invalid: unknown): Promise<PolicyRepair> {
  const yaml = await import("yaml");
  const read = await readPolicyText(path);
  const document = yaml.parseDocument(read ?? "");
  const names = keyPath.split(".");
  if (document.errors.length > 0 || !yaml.isMap(document.contents) || !document.hasIn(names)) throw invalid;
  removeNode({ document, yaml }, names);
  const text = document.toString({ lineWidth: 0 });
  const problems = listProblems(path, text);
  await replacePolicyText(path, read, text);
  return { file: path, key: keyPath, problems };
}

function listProblems(path: string, text: string): string[] {
  try {
    parsePolicyText(path, text);
    return [];
  } catch (error) {
    if (!(error instanceof DrydockError)) throw error;
    const { problems } = error.data ?? {};
    return Array.isArray(problems) ? problems.map(String) : [error.message];
  }
}
