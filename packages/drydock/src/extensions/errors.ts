import { countWord, DrydockError, type Risk } from "@drydock/protocol";
import { cutText } from "../base/text/index.ts";

/*
 * The words of everything that can keep a capability from being done, in one place: router, registry, runners and queue
 * say the same thing in the same way, whichever of them notices.
 */

/** No command, action or extension of that name. `word` is as it was typed: `/crul`, `fetch`. */
export function commandNotFoundError(
  word: string,
  suggestion?: string | null,
  known: readonly string[] = [],
): DrydockError {
  return new DrydockError(
    "extension.not_found",
    `${word} was not found.`,
    suggestion
      ? `Did you mean ${suggestion}? \`drydock ext list\` shows what there is.`
      : "`drydock ext list` shows the installed extensions; `drydock ext add SOURCE` installs one.",
    { word, ...(suggestion ? { suggestion } : {}), ...(known.length > 0 ? { known: known.slice(0, 50) } : {}) },
  );
}

/** For an id in the request: `drydock ext info X`. */
export function notInstalledError(id: string, suggestion?: string | null): DrydockError {
  return new DrydockError(
    "extension.not_found",
    `The extension ${id} is not installed.`,
    suggestion
      ? `Did you mean ${suggestion}? \`drydock ext list\` shows what there is.`
      : "Install it with `drydock ext add SOURCE`; `drydock ext list` shows what there is.",
    { extension: id, ...(suggestion ? { suggestion } : {}) },
  );
}

/** The program behind `exec.<tool>` lies in none of the places where it is looked for. */
export function toolMissingError(tool: string, extension: string, lookedIn: readonly string[] = []): DrydockError {
  const places = lookedIn.length > 0 ? ` It was looked for in ${lookedIn.join(", ")}.` : "";
  return new DrydockError(
    "extension.tool_missing",
    `${tool}, which the extension ${extension} needs, was not found.${places}`,
    `Make sure that the extension is installed correctly: \`drydock ext update ${extension}\` installs it again. ` +
      `A tool that it does not bring along has to be installed on this machine, or put into tools/ of Drydock's home.`,
    { tool, extension, lookedIn: [...lookedIn] },
  );
}

export function extensionDisabledError(extension: string): DrydockError {
  return new DrydockError(
    "extension.disabled",
    `The extension ${extension} is disabled.`,
    `Enable it with \`drydock ext enable ${extension}\`.`,
    { extension },
  );
}

/** The owner's policy does not name the extension in `extensions.allow`. */
export function extensionNotAllowedError(extension: string, origin: string): DrydockError {
  return new DrydockError(
    "extension.disabled",
    `The extension ${extension} is not allowed by ${origin}.`,
    `The owner can add ${extension} to extensions.allow; \`drydock policy show --explain\` shows where the list is set.`,
    { extension },
  );
}

export function quarantinedError(extension: string, problem: string): DrydockError {
  return new DrydockError(
    "extension.quarantined",
    `The extension ${extension} is quarantined: ${endSentence(problem)}`,
    `Nothing of it runs until you install it again (\`drydock ext update ${extension}\`) or remove it ` +
      `(\`drydock ext remove ${extension}\`).`,
    { extension, problem },
  );
}

/** Two extensions claim one word, or one id. */
export function nameConflictError(what: string, claimant: string, holder: string): DrydockError {
  return new DrydockError(
    "extension.conflict",
    `${what} of the extension ${claimant} is already used by the extension ${holder}.`,
    `Disable or remove ${holder} first, or use another name in ${claimant}.`,
    { what, extension: claimant, holder },
  );
}

export function timeoutError(seconds: number, what = "The command"): DrydockError {
  return new DrydockError(
    "limit.timeout",
    `${what} timed out after ${countWord(seconds, "second")}.`,
    "It took too long, and was ended with everything that it had started. Ask for less at once, or have the " +
      "action's timeoutSeconds and the policy's limits.wallSeconds raised.",
    { timeoutSeconds: seconds },
  );
}

/** A place that must not be worked in or reached: outside of the workspace, upwards, through a link. */
export function unsafePathError(what: string, path: string, reason: string): DrydockError {
  return new DrydockError(
    "policy.path_denied",
    `${what} ${path} is not safe: ${endSentence(reason)}`,
    "Name a path inside the workspace or the extension's work directory, without .. and without a leading slash.",
    { paths: [path] },
  );
}

/** A value that a tool could take for an option. */
export function looksLikeOptionError(name: string, value: string): DrydockError {
  return new DrydockError(
    "input.invalid",
    `The value of ${name} begins with a dash (${JSON.stringify(cutText(value, 80))}): the tool could take it for an option.`,
    "Give a value that does not begin with - ; the extension's author can allow it with `dash: true` where the tool " +
      "takes it as text.",
    { name },
  );
}

export function hostNotGrantedError(host: string, extension: string, granted: readonly string[]): DrydockError {
  const fromPolicy = granted.includes("policy");
  return new DrydockError(
    "policy.network_denied",
    `The extension ${extension} may not reach ${host}.`,
    fromPolicy
      ? `It reaches the hosts that your policy allows: \`drydock policy allow network ${host}\` adds this one.`
      : granted.length > 0
        ? `It may reach ${granted.join(", ")} and nothing else; more has to be declared in its extension.yaml.`
        : "It declares no hosts in its extension.yaml, so it has no network.",
    { host, extension },
  );
}

export function toolFailedError(tool: string, exitCode: number | null, stderrTail: string): DrydockError {
  const output = stderrTail.trim();
  return new DrydockError(
    "code.exit",
    `${tool} failed${exitCode === null ? "" : ` with status ${exitCode}`}${output === "" ? "." : `: ${output}`}`,
    output === ""
      ? "It printed no reason; --help shows what the action expects."
      : "Read what it printed; --help shows what the action expects.",
    { tool, ...(exitCode === null ? {} : { exitCode }) },
  );
}

export function secretMissingError(name: string, extension: string): DrydockError {
  return new DrydockError(
    "input.invalid",
    `The extension ${extension} needs the secret ${name}, which is not set.`,
    `Set it with \`drydock secret set ${name}\`; the value is read from the terminal or from standard input.`,
    { secret: name, extension },
  );
}

export function secretNotGrantedError(name: string, extension: string): DrydockError {
  return new DrydockError(
    "extension.invalid",
    `The extension ${extension} asks for the secret ${name}, which its permissions do not name.`,
    "Add it to permissions.secrets in its extension.yaml, then install the extension again and approve it.",
    { secret: name, extension },
  );
}

/** The call was not approved. `answer` is null if there was no way to ask a person. */
export function approvalDeniedError(
  call: string,
  risk: Risk,
  answer: { by: string; reason: string | null } | null,
): DrydockError {
  return new DrydockError(
    "policy.approval_denied",
    answer
      ? `${call} was denied by ${answer.by}${answer.reason ? `: ${endSentence(answer.reason)}` : "."}`
      : `${call} has ${risk} risk and needs somebody's approval, and nobody can be asked here.`,
    answer
      ? "Nothing was done. Ask the person who decided, or choose a less risky action."
      : "Call it from a terminal, agree beforehand with --yes, or let it wait for `drydock approvals approve`; the " +
          "policy's extensions.approval sets the risk from which approval is needed.",
    { risk, ...(answer ? { by: answer.by, reason: answer.reason } : {}) },
  );
}

export function quotaReachedError(
  extension: string,
  quota: "callsPerHour" | "secondsPerHour",
  limit: number,
  freeAt: string | null,
): DrydockError {
  const used = countWord(limit, quota === "callsPerHour" ? "call" : "second");
  return new DrydockError(
    "limit.quota",
    limit === 0
      ? `The policy's extensions.${quota} is 0: the extension ${extension} can't be used.`
      : `The extension ${extension} has used the ${used} that it may have in an hour.`,
    freeAt === null
      ? `The owner can raise extensions.${quota} in the policy.`
      : `Try again after ${freeAt}, or let the owner raise extensions.${quota} in the policy.`,
    { extension, quota, limit, freeAt },
  );
}

export function queueFullError(waiting: number): DrydockError {
  return new DrydockError(
    "limit.concurrency",
    `The queue is full: ${waiting} calls are waiting.`,
    "Try again when some are done, or cancel one that waits.",
    { waiting },
  );
}

export function cancelledInQueueError(): DrydockError {
  return new DrydockError(
    "run.cancelled",
    "The call was cancelled before its turn came.",
    "Nothing was done; call it again.",
  );
}

function endSentence(text: string): string {
  return /[.!?]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`;
}
