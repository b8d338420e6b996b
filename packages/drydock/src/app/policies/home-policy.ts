import { createHash } from "node:crypto";
import { DrydockError, type HomePolicyCheck, type HomePolicyText } from "@drydock/protocol";
import {
  answerQuestion,
  explainPolicy,
  loadPolicyFile,
  loadPolicyText,
  readPolicyText,
  resolvePolicy,
} from "../../policy/index.ts";
import { resolveWorkspace } from "../../sandbox/index.ts";
import { replaceFile } from "../runs/replace-file.ts";
import type { HomePolicy } from "./api.ts";
import { homePolicyPath, type Policies, workspacePolicyPath } from "./create-policies.ts";
import { editHomePolicy } from "./edit-home-policy.ts";

export interface HomePolicyPorts {
  home: string;
  policies: Policies;
  /** Directories of Drydock itself, which are no workspaces. */
  own: readonly string[];
}

/** The owner's policy as a text, for who edits it as a whole, and "would this be allowed?". */
export function createHomePolicy({ home, policies, own }: HomePolicyPorts): HomePolicy {
  const path = homePolicyPath(home);
  const read = async () => describe(path, await readPolicyText(path));
  return {
    read,
    async ask(question, { workspace, text } = {}) {
      const place = workspace === undefined ? null : resolveWorkspace(workspace, own);
      if (text === undefined) return answerQuestion(await policies.resolve({ workspace: place }), question);
      const { parsePolicyText } = await loadPolicyText();
      const local = place === null ? null : await loadPolicyFile(workspacePolicyPath(place));
      return answerQuestion(resolvePolicy({ home: parsePolicyText(path, text), workspace: local }), question);
    },
    async check(text) {
      try {
        const { parsePolicyText } = await loadPolicyText();
        return { ok: true, problems: [], rows: explainPolicy(resolvePolicy({ home: parsePolicyText(path, text) })) };
      } catch (error) {
        if (!(error instanceof DrydockError)) throw error;
        return { ok: false, problems: listProblems(path, error), rows: [] };
      }
    },
    async save(text, { replaces }) {
      const { parsePolicyText } = await loadPolicyText();
      resolvePolicy({ home: parsePolicyText(path, text) });
      return editHomePolicy(home, async () => {
        const before = await read();
        if (before.sha256 !== replaces) throw changed(path);
        await replaceFile(path, text);
        return describe(path, text);
      });
    },
  };
}

function describe(file: string, text: string | null): HomePolicyText {
  const sha256 = text === null ? null : createHash("sha256").update(text).digest("hex");
  return { file, text: text ?? "", sha256 };
}

/** Each message begins with the file, the line and the column. */
function listProblems(path: string, { message, hint, data }: DrydockError): HomePolicyCheck["problems"] {
  const messages = Array.isArray(data.problems) ? data.problems.map(String) : [message];
  return messages.map((text, index) => {
    const rest = text.startsWith(`${path}:`) ? text.slice(path.length + 1) : text;
    const [, line, column, what] = /^(\d+):(\d+): (.*)$/s.exec(rest) ?? [];
    const place = { line: Number(line ?? 1), column: Number(column ?? 1) };
    return { ...place, message: (what ?? rest).trim(), hint: index === 0 ? hint : null };
  });
}

function changed(file: string): DrydockError {
  return new DrydockError(
    "policy.conflict",
    `${file} has changed since it was read. Nothing was written.`,
    "Read it again, and make your change to what it holds now.",
    { file },
  );
}
