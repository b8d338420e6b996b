import type { Approval } from "@drydock/protocol";
import type { ApprovalDecision } from "../../../app/index.ts";
import { APPROVAL_QUESTION, describeApproval, readDecision } from "../../terminal/decide-approval.ts";
import type { ReplContext } from "../repl-context.ts";

/** Asks the user at the terminal; undefined without a terminal. */
export function createAsker(repl: ReplContext): ((approval: Approval) => Promise<ApprovalDecision>) | undefined {
  const { ask, screen } = repl;
  if (!ask) return undefined;
  return async (approval) => {
    screen.aside(describeApproval(approval, screen.terminal.errColors));
    return readDecision(await ask(`${APPROVAL_QUESTION} `));
  };
}
