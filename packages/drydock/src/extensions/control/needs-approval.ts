import { type ApprovalThreshold, Risk } from "@drydock/protocol";

/** Whether a person has to approve first: from the threshold on. An unknown risk is the highest. */
export function needsApproval(risk: Risk, threshold: ApprovalThreshold): boolean {
  if (threshold === "never") return false;
  const height = (word: Risk) => {
    const at = Risk.options.indexOf(word);
    return at === -1 ? Risk.options.length : at;
  };
  return height(risk) >= Risk.options.indexOf(threshold);
}
