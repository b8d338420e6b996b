import type { Approval } from "@drydock/protocol";
import type { ApprovalDecision } from "../../app/index.ts";
import { cleanLine } from "./clean-text.ts";
import type { Colors } from "./terminal.ts";

/** The text of an approval question. */
export function describeApproval({ summary, risk, requestedBy }: Approval, colors: Colors): string {
  const headline = `${colors.yellow("!")} ${cleanLine(summary)}\n`;
  return `${headline}  This needs your approval: its risk is ${colors.bold(risk)}, and ${cleanLine(requestedBy)} asks for it.\n`;
}

export const APPROVAL_QUESTION = "Do it? [y/N, and a reason if you like]";

/** `y`, `yes, it is mine`, `no: too early`. Only a clear yes is one; what follows is the reason. */
export function readDecision(answer: string | null): ApprovalDecision {
  const [, word = "", why = ""] = /^\s*(\p{L}*)[\s,.:;-]*([\s\S]*)$/u.exec(answer ?? "") ?? [];
  const approved = /^y(es)?$/i.test(word);
  const reason = approved || /^no?$/i.test(word) ? why.trim() : (answer ?? "").trim();
  return reason === "" ? { approved } : { approved, reason };
}
