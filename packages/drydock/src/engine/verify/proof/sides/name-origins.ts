import { DATA_MARK, type Expression, type FileFacts, type ImportedName, type Term } from "./facts.ts";

/** Where the value of a name comes from. */
export interface Origin {
  /** A file of the tree, data that is read (`#data:…`), or what a program of the tree printed (`#run`). */
  module: string;
  /** A class, an enumeration or an exception, or made by one: both sides of a comparison use those. */
  soft: boolean;
  /** Something of the module was called to get it. */
  active: boolean;
  /** An element of what was gone through. */
  element: boolean;
}

export interface Use extends Origin {
  /** Handed to a function of the tree as it is: that says nothing of its side. */
  plain: boolean;
}

export const RUN = "#run";
const CLASS_NAME = /^_*[A-Z]+[a-z0-9]\w*$/;
const STARTERS = /^(subprocess|(node:)?child_process)$/;
const MAX_ROUNDS = 6;

export type Resolve = (imported: ImportedName) => string | null;

/** Follows the values of names through a file. The order of statements does not count; functions have their own names. */
export function createOrigins(
  { imports, functions, facts }: FileFacts,
  resolve: Resolve,
  runsTree: boolean,
): (expression: Expression, scope: string) => Use[] {
  const imported = new Map<string, { module: string; soft: boolean }>();
  for (const each of imports) {
    const module = STARTERS.test(each.specifier) ? (runsTree ? RUN : null) : resolve(each);
    if (module !== null) imported.set(each.local, { module, soft: CLASS_NAME.test(each.name ?? each.local) });
  }
  const variables = new Map<string, Map<string, Origin>>();

  const findImported = (parts: readonly string[]) => {
    for (let length = parts.length; length > 0; length--) {
      const found = imported.get(parts.slice(0, length).join("."));
      if (found) return { ...found, soft: found.soft || parts.slice(length).some((part) => CLASS_NAME.test(part)) };
    }
    return null;
  };
  const findVariable = (name: string, scope: string): Origin[] => {
    for (let at = scope; ; at = at.slice(0, Math.max(0, at.lastIndexOf(".")))) {
      const found = variables.get(`${at}\0${name}`);
      if (found && found.size > 0) return [...found.values()];
      if (at === "") return [];
    }
  };
  const originsOf = ({ parts, called }: Term, scope: string): (Origin & { isName: boolean })[] => {
    const [first = "", second = ""] = parts;
    const at = { active: false, element: false, isName: false };
    if (first.startsWith(DATA_MARK)) return [{ ...at, module: first, soft: false }];
    if (first.startsWith("#import:")) {
      const module = resolve({ local: "", specifier: first.slice("#import:".length), name: null });
      return module === null ? [] : [{ ...at, module, soft: false, active: called }];
    }
    const isOwn = first === "self" || first === "cls" || first === "this";
    const known = findVariable(isOwn ? `self.${second}` : first, isOwn ? "" : scope);
    if (known.length > 0) return known.map((each) => ({ ...each, isName: true }));
    const found = findImported(parts);
    return found ? [{ ...at, ...found, active: called }] : [];
  };
  const usesOf = (expression: Expression, scope: string, isArgument = false): Use[] =>
    expression.flatMap((term) => {
      const origins = originsOf(term, scope);
      const own = origins.map(({ isName, ...origin }) => ({
        ...origin,
        plain: isArgument && (isName || !term.called),
      }));
      // A library returns its arguments in one form or another; a function of the tree does not.
      const isInside = isArgument || (term.called && origins.length > 0);
      return [...own, ...usesOf(term.args, scope, isInside)];
    });

  const bind = (scope: string, name: string, uses: readonly Use[], loop: boolean): boolean => {
    // What a method sets on its object, all methods see.
    const key = `${name.startsWith("self.") ? "" : scope}\0${name}`;
    const known = variables.get(key) ?? new Map<string, Origin>();
    variables.set(key, known);
    let isNew = false;
    for (const { plain, ...use } of uses) {
      if (plain) continue;
      const was = known.get(use.module);
      const is = {
        module: use.module,
        soft: use.soft && (was?.soft ?? true),
        active: (use.active && !loop) || (was?.active ?? false),
        element: loop || use.element || (was?.element ?? false),
      };
      isNew ||= !was || was.soft !== is.soft || was.active !== is.active || was.element !== is.element;
      known.set(use.module, is);
    }
    return isNew;
  };

  for (let round = 0, isNew = true; isNew && round < MAX_ROUNDS; round++) {
    isNew = false;
    for (const fact of facts) {
      if (fact.kind === "assign") {
        const uses = usesOf(fact.value, fact.scope);
        for (const name of fact.targets) isNew = bind(fact.scope, name, uses, fact.loop) || isNew;
      } else if (fact.kind === "call") {
        const name = fact.callee.at(-1) ?? "";
        for (const [index, parameter] of (Object.hasOwn(functions, name) ? (functions[name] ?? []) : []).entries()) {
          const uses = usesOf(fact.args[index] ?? [], fact.scope);
          for (const each of parameter.split(" ")) {
            isNew = bind("", `#parameter:${name}:${each}`, uses, false) || isNew;
          }
        }
      }
    }
  }
  return (expression, scope) => usesOf(expression, scope);
}
