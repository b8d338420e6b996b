import { DrydockError, type EffectivePolicy, type PolicyAnswer, type PolicyQuestion } from "@drydock/protocol";
import { explainDeniedWrite, findHidingRule } from "./explain-denied-write.ts";
import { explainAllowList, explainDenyRule, explainSwitch } from "./explain-rule.ts";
import type { PolicyOrigin, ResolvedPolicy } from "./resolve-policy.ts";
import { permitsCommand } from "./rules/command-rules.ts";
import { matchHost } from "./rules/host-rules.ts";
import { coversImport } from "./rules/import-rules.ts";
import { createPathRules } from "./rules/path-rules.ts";

type Rule = { key: string; entry: string | null };
type Facts = { policy: EffectivePolicy; resolved: ResolvedPolicy };

/** Whether a run with this policy may do one thing, by which rule, and where that stands. Nothing is tried. */
export async function answerQuestion(resolved: ResolvedPolicy, question: PolicyQuestion): Promise<PolicyAnswer> {
  const facts = { policy: resolved.effective, resolved };
  switch (question.kind) {
    case "read":
      return answerRead(facts, readPath(question.value));
    case "write":
      return answerWrite(facts, readPath(question.value));
    case "host":
      return answerHost(facts, question.value);
    case "command":
      return answerCommand(facts, question.value);
    case "import":
      return answerImport(facts, question.value.trim());
    default:
      throw new TypeError(`No such question: ${question.kind satisfies never}`);
  }
}

function answerRead({ policy, resolved }: Facts, path: string): PolicyAnswer {
  if (!policy.files.access) {
    return denied(resolved, { key: "files.access", entry: null }, explainSwitch("files.access", resolved));
  }
  const entry = findHidingRule(policy.files, path);
  if (entry === undefined) return allowed(resolved, { key: "files.access", entry: null });
  return denied(resolved, { key: "files.hide", entry }, explainDenyRule("files.hide", entry, resolved));
}

function answerWrite({ policy, resolved }: Facts, path: string): PolicyAnswer {
  const { files } = policy;
  const fits = (entry: string) =>
    createPathRules({ files: { ...files, write: [entry], protect: [], hide: [] } }).writable(path);
  if (files.access && createPathRules(policy).writable(path)) {
    return allowed(resolved, { key: "files.write", entry: files.write.find(fits) ?? null });
  }
  const hint = explainDeniedWrite(path, files, resolved);
  const hiding = findHidingRule(files, path);
  if (hiding !== undefined) return denied(resolved, { key: "files.hide", entry: hiding }, hint);
  const protecting = files.protect.find((entry) =>
    createPathRules({ files: { ...files, protect: [entry], hide: [] } }).protectedPath(path),
  );
  if (protecting !== undefined) return denied(resolved, { key: "files.protect", entry: protecting }, hint);
  return denied(resolved, { key: "files.write", entry: null }, hint);
}

function answerHost({ policy, resolved }: Facts, value: string): PolicyAnswer {
  const text = value.trim();
  const url = URL.parse(text.includes("://") ? text : `https://${text}`);
  if (!url?.hostname) throw unreadable("host", value, "Write HOST, HOST:PORT or an address.");
  const port = Number(url.port || (url.protocol === "http:" ? 80 : 443));
  const key = "network.allow";
  const entry = policy.network.allow.find((each) => matchHost([each], url.hostname, port));
  if (entry !== undefined) return allowed(resolved, { key, entry });
  return denied(resolved, { key, entry: null }, explainAllowList(key, `${url.hostname}:${port}`, resolved));
}

/** A line is read as bash reads it: each program in it counts. */
async function answerCommand({ policy, resolved }: Facts, value: string): Promise<PolicyAnswer> {
  const { checkShell } = await import("./shell/check-shell.ts");
  const { commands } = policy;
  const found = checkShell(commands, value);
  if (found.ok) {
    const words = value.trim().split(/\s+/);
    const entry = commands.allow.find((each) => permitsCommand({ allow: [each], deny: [] }, words)) ?? null;
    return allowed(resolved, { key: "commands.allow", entry });
  }
  if (found.rule !== undefined) {
    const rule = { key: "commands.deny", entry: found.rule };
    return denied(resolved, rule, explainDenyRule(rule.key, rule.entry, resolved), found.reason);
  }
  const hint = explainAllowList("commands.allow", found.command || "COMMAND", resolved);
  return denied(resolved, { key: "commands.allow", entry: null }, hint, found.reason);
}

function answerImport({ policy, resolved }: Facts, name: string): PolicyAnswer {
  if (!/^[\p{ID_Start}_][\p{ID_Continue}.]*$/u.test(name))
    throw unreadable("import", name, "Write it as numpy.linalg.");
  const { enabled, guard, imports } = policy.python;
  if (!enabled)
    return denied(resolved, { key: "python.enabled", entry: null }, explainSwitch("python.enabled", resolved));
  if (guard === "off") return allowed(resolved, { key: "python.guard", entry: null });
  const blocking = imports.block.find((each) => coversImport(each, name));
  if (blocking !== undefined) {
    const rule = { key: "python.imports.block", entry: blocking };
    return denied(resolved, rule, explainDenyRule(rule.key, blocking, resolved));
  }
  const key = "python.imports.allow";
  const entry = imports.allow.find((each) => coversImport(each, name));
  if (entry !== undefined) return allowed(resolved, { key, entry });
  if (guard === "strict") {
    const hint = `The strict guard has a list of its own. Try it: drydock exec -c 'import ${name}'`;
    return { ...denied(resolved, { key: "python.guard", entry: null }, hint), verdict: "unsure" };
  }
  if (imports.allow.length === 0) return allowed(resolved, { key, entry: null });
  return denied(resolved, { key, entry: null }, explainAllowList(key, name, resolved));
}

function allowed(resolved: ResolvedPolicy, rule: Rule): PolicyAnswer {
  return { verdict: "allowed", ...rule, ...placeOf(resolved, rule), reason: null, hint: null };
}

function denied(resolved: ResolvedPolicy, rule: Rule, hint: string, reason: string | null = null): PolicyAnswer {
  return { verdict: "denied", ...rule, ...placeOf(resolved, rule), reason, hint };
}

/** An entry of what is denied has a place of its own; a list of what is allowed has one as a whole. */
function placeOf({ denials, origins }: ResolvedPolicy, { key, entry }: Rule): Pick<PolicyAnswer, "source" | "where"> {
  const denial = denials.find((each) => each.key === key && each.entry === entry);
  const origin: PolicyOrigin = denial?.origin ??
    (denial || isDenyList(key) ? undefined : origins[key]) ?? { source: "system" };
  return { source: origin.source, where: origin.file === undefined ? "" : `${origin.file}:${origin.line ?? 1}` };
}

function isDenyList(key: string): boolean {
  return key === "files.hide" || key === "files.protect" || key === "commands.deny" || key === "python.imports.block";
}

/** Rules are about places below the workspace. */
function readPath(value: string): string {
  const path = value.trim().replace(/^\.\//, "");
  if (path !== "" && !path.startsWith("/") && !path.split("/").includes("..")) return path;
  throw unreadable("path", value, "Write it as it stands below the workspace, such as src/main.ts.");
}

function unreadable(kind: string, value: string, hint: string): DrydockError {
  return new DrydockError("input.invalid", `${JSON.stringify(value)} is no ${kind}.`, hint, { field: "value" });
}
