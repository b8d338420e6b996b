import type { Approval } from "@drydock/protocol";
import type { ApprovalDecision } from "../../app/index.ts";
import { askLine, canAsk } from "./ask-yes-no.ts";
import { cleanLine } from "./clean-text.ts";
import type { Colors, Terminal } from "./terminal.ts";

/** The text of an approval question. */
export function describeApproval({ summary, risk, requestedBy }: Approval, colors: Colors): string {
  const headline = `${colors.yellow("!")} ${cleanLine(summary)}\n`;
  return `${headline}  This needs your approval: its risk is ${colors.bold(risk)}, and ${cleanLine(requestedBy)} asks for it.\n`;
}

/** Asks the person at the terminal; undefined where there is none. */
export function askAtTerminal(
  { err, errColors }: Pick<Terminal, "err" | "errColors">,
  signal: AbortSignal,
): ((approval: Approval) => Promise<ApprovalDecision>) | undefined {
  if (!canAsk()) return undefined;
  return async (approval) => {
    err(describeApproval(approval, errColors));
    return readDecision(await askLine({ text: APPROVAL_QUESTION, signal }));
  };
}

export const APPROVAL_QUESTION = "Do it? [y/N, and a reason if you like]";

/** `y`, `yes, it is mine`, `no: too early`. Only a clear yes is one; what follows is the reason. */
export function readDecision(answer: string | null): ApprovalDecision {
  const [, word = "", why = ""] = /^\s*(\p{L}*)[\s,.:;-]*([\s\S]*)$/u.exec(answer ?? "") ?? [];
  const approved = /^y(es)?$/i.test(word);
  const reason = approved || /^no?$/i.test(word) ? why.trim() : (answer ?? "").trim();
  return reason === "" ? { approved } : { approved, reason };
}
