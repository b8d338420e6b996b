import {
  type ApiRequest,
  BUILT_IN_RUNNERS,
  type CommandAction,
  type ExtensionManifest,
  isReservedRunner,
} from "@drydock/protocol";
import { coversHost } from "../../policy/index.ts";
import { findRunnerKind, RUNNER_FIELDS, toolOf } from "../runner-kinds.ts";
import { checkParameters } from "./check-parameters.ts";
import { findNames, listTexts } from "./find-names.ts";
import type { HashedFile } from "./hash-files.ts";
import type { Path } from "./read-yaml.ts";

export type Complain = (path: Path, message: string, severity?: "warning") => void;

/** Programs that take code as a word of their command line. */
const INTERPRETERS = /^(?:(?:ba|da|z|k)?sh|python[\d.]*|node|perl|ruby|php|lua|awk|gawk|mawk)$/;

/**
 * Checks one action: its runner has what it needs, its permissions are requested, and its templates name existing
 * values.
 */
export function checkAction(
  action: CommandAction,
  manifest: ExtensionManifest,
  files: readonly HashedFile[],
  complain: Complain,
): void {
  checkParameters(action, complain);
  checkRunner(action, manifest, complain);
  if (action.script !== undefined && !files.some(({ path }) => path === action.script))
    complain(["script"], `there is no file ${action.script} in the extension`);
  if (action.request)
    checkRequest(action.request, manifest, (path, message) => complain(["request", ...path], message));
  checkTemplates(action, complain);
  checkCode(action, complain);
}

/** Each value stays one word, and that does not help where the program takes the word for code. */
function checkCode({ runner, args = [] }: CommandAction, complain: Complain): void {
  const program = toolOf(runner)?.replace(/_(cli|tool)$/, "") ?? "";
  if (!INTERPRETERS.test(program)) return;
  args.forEach((template, index) => {
    const words = typeof template === "string" ? [template] : template.words;
    const mixed = words.some((word) => findNames(word).length > 0 && /[^\s{}]/.test(word.replace(/\{\{.*?\}\}/g, "")));
    const isAfterFlag =
      /^-[a-z]*[ce]$/.test(String(args[index - 1] ?? "")) && words.some((word) => findNames(word).length > 0);
    if (mixed || isAfterFlag)
      complain(
        ["args", index],
        `${program} may take what the value holds for code; pass it as a word of its own, after the code`,
        "warning",
      );
  });
}

function checkRunner(
  { runner, ...action }: CommandAction,
  { permissions }: ExtensionManifest,
  complain: Complain,
): void {
  const tool = toolOf(runner);
  if (tool !== null && !permissions.tools.includes(tool)) {
    const plain = tool.replace(/_(cli|tool)$/, "");
    const other = permissions.tools.includes(plain) ? `; write exec.${plain}, or add ${tool} there` : "";
    complain(["runner"], `${tool} is not among the tools that extension.yaml asks for (permissions.tools)${other}`);
  }
  const kind = findRunnerKind(runner);
  if (!kind) {
    if (isReservedRunner(runner)) {
      complain(["runner"], `there is no runner ${runner}; there are ${BUILT_IN_RUNNERS.join(", ")}`);
    } else complain(["runner"], `${runner} only works where the host registers a runner of that name`, "warning");
    return;
  }
  for (const field of RUNNER_FIELDS)
    if (action[field] !== undefined && !kind.fields.includes(field)) complain([field], `is not used by ${runner}`);
  for (const field of ["script", "request"] as const)
    if (action[field] === undefined && kind.fields.includes(field)) complain([], `${runner} needs the field ${field}`);
}

function checkRequest(
  { url, auth, headers }: ApiRequest,
  { permissions }: ExtensionManifest,
  complain: Complain,
): void {
  const parsed = URL.parse(url.replaceAll(/\{\{.*?\}\}/g, "x"));
  if (!parsed) {
    complain(["url"], "is not an address");
    return;
  }
  if (parsed.username || parsed.password) complain(["url"], "holds a user name or password; use `auth` with a secret");
  const host = `${parsed.hostname}:${parsed.port || (parsed.protocol === "https:" ? 443 : 80)}`;
  if (!permissions.hosts.some((pattern) => pattern === "policy" || coversHost(pattern, host)))
    complain(["url"], `${host} is not among the hosts that extension.yaml asks for (permissions.hosts)`);
  if (auth && !permissions.secrets.includes(auth.secret))
    complain(["auth", "secret"], `${auth.secret} is not among the secrets that extension.yaml asks for`);
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) complain(["headers", name], "is not a header name");
    else if (/^(host|content-length|transfer-encoding|connection|proxy-.*)$/i.test(name))
      complain(["headers", name], "is set by Drydock itself");
    if (/[\r\n\0]/.test(value)) complain(["headers", name], "holds a line break");
  }
}

function checkTemplates(action: CommandAction, complain: Complain): void {
  const parameters = [...action.arguments, ...action.flags];
  const declared = parameters.map(({ name }) => name);
  const check = (text: string, path: Path, more: readonly string[] = ["input"]) => {
    for (const name of findNames(text)) {
      if (name === null) complain(path, "has {{ without }}");
      else if (!declared.includes(name) && !more.includes(name))
        complain(path, `{{ ${name} }} is not an argument or flag of this action`);
    }
  };
  action.args?.forEach((template, index) => {
    const path = ["args", index];
    if (typeof template === "string") {
      check(template, path);
      return;
    }
    const isEach = "each" in template;
    const name = isEach ? template.each : template.when;
    const parameter = parameters.find((each) => each.name === name);
    if (!parameter) complain([...path, isEach ? "each" : "when"], `${name} is not an argument or flag of this action`);
    if (isEach && parameter && !parameter.repeat)
      complain([...path, "each"], `${name} does not repeat; write \`when\` instead`, "warning");
    template.words.forEach((word, at) => {
      check(word, [...path, "words", at], ["input", "value"]);
    });
  });
  if (action.stdin !== undefined) check(action.stdin, ["stdin"]);
  for (const { path, text } of listTexts(action.request ?? {}, ["request"])) check(text, path);
}
