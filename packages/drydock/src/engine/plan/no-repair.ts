import { DrydockError } from "@drydock/protocol";
import { MODEL_SETUP } from "../../models/index.ts";

const WHAT_IT_DOES =
  "Repair changes existing Python, JavaScript or TypeScript source until tests that fail now pass. New features, tests, texts and other languages need a language model.";
const OTHER_COMMAND =
  "If the tests need another command, name it: drydock run --goal TEXT --check 'python3 -m pytest -q'";
const NAME_TESTS = "If there are tests, name their command: drydock run --goal TEXT --check 'pytest -q'";

/** So many times the time that was not enough. */
const MORE_TIME = 5;

/**
 * The answer where repair has nothing to start from: what it can do, what needs a model, and how to set one up. `failed`
 * is a command that fails for a reason which only its output tells.
 */
export function noRepairError(reason: string, failed?: string): DrydockError {
  const look = failed === undefined ? NAME_TESTS : `${lookAt(failed)} ${OTHER_COMMAND}`;
  const hint = [WHAT_IT_DOES, look, MODEL_SETUP].join("\n");
  return new DrydockError("model.unavailable", `Repair can't work on this goal. ${reason}`, hint);
}

/** The answer where repair needs more time than it had to come to a test that fails. */
export function tooSlowError(reason: string, seconds: number): DrydockError {
  const time = `Give it more time: --repair-seconds ${Math.ceil(seconds * MORE_TIME)}`;
  const hint = [`${time}, or let it run only what fails: --check 'pytest -q tests/test_one.py'.`, WHAT_IT_DOES];
  return new DrydockError("model.unavailable", `Repair can't work on this goal. ${reason}`, hint.join("\n"));
}

/** The answer where there are tests, and none of them fails. */
export function nothingFailsError(commands: string): DrydockError {
  const message = `All tests already pass (${commands}): there is nothing to repair.`;
  const hint = [`If they miss a fault, add a test that shows it. ${WHAT_IT_DOES}`, MODEL_SETUP].join("\n");
  return new DrydockError("model.unavailable", message, hint);
}

function lookAt(command: string): string {
  return `What it prints: drydock verify --check '${command.replaceAll("'", "'\\''")}'.`;
}
