import { DrydockError } from "@drydock/protocol";
import { MODEL_SETUP } from "../../models/index.ts";

const WHAT_IT_DOES =
  "Repair changes existing Python, JavaScript or TypeScript source until tests that fail now pass. New features, tests, texts and other languages need a language model.";
const NAME_TESTS = "If there are tests, name their command: drydock run --goal TEXT --check 'pytest -q'";

/** The answer where repair has nothing to start from: what it can do, what needs a model, and how to set one up. */
export function noRepairError(reason: string): DrydockError {
  const hint = [WHAT_IT_DOES, NAME_TESTS, MODEL_SETUP].join("\n");
  return new DrydockError("model.unavailable", `Repair can't work on this goal. ${reason}`, hint);
}

/** The answer where there are tests, and none of them fails. */
export function nothingFailsError(commands: string): DrydockError {
  const message = `All tests already pass (${commands}): there is nothing to repair.`;
  const hint = [`If they miss a fault, add a test that shows it. ${WHAT_IT_DOES}`, MODEL_SETUP].join("\n");
  return new DrydockError("model.unavailable", message, hint);
}
