/** Builtins that start no program and evaluate no text. Those that do are handled one by one, or not allowed. */
export const HARMLESS_BUILTINS: ReadonlySet<string> = new Set(
  [
    ": [ bg break cd continue declare dirs disown echo exit export false fg getopts jobs kill let local mapfile popd",
    "printf pushd pwd read readarray readonly return set shift shopt test times trap true type typeset ulimit umask",
    "unset wait",
  ].flatMap((line) => line.split(" ")),
);

/** Builtins that run what their words say. */
export const RUNNING_BUILTINS: ReadonlySet<string> = new Set(["eval", "source", ".", "exec", "command", "builtin"]);

/** Builtins that change what a name means, or load code into the shell. */
export const REFUSED_BUILTINS: ReadonlySet<string> = new Set(
  "alias bind caller compgen complete compopt enable fc hash help history logout suspend unalias".split(" "),
);

export function isBuiltin(name: string): boolean {
  return HARMLESS_BUILTINS.has(name) || REFUSED_BUILTINS.has(name) || RUNNING_BUILTINS.has(name);
}

/** Programs that do no more than the builtin of the same name. */
export const HARMLESS_PROGRAMS: ReadonlySet<string> = new Set(["echo", "false", "printf", "pwd", "test", "true", "["]);

/** Builtins whose words are names of variables to set. */
export const ASSIGNING_BUILTINS: ReadonlySet<string> = new Set(
  "declare export getopts local mapfile printf read readarray readonly typeset unset".split(" "),
);

/** Options by which a builtin makes a name stand for another, removes a function, or runs a command. */
export const HARMFUL_OPTIONS: ReadonlyMap<string, RegExp> = new Map([
  ["declare", /-\w*n/],
  ["local", /-\w*n/],
  ["typeset", /-\w*n/],
  ["mapfile", /-\w*C/],
  ["readarray", /-\w*C/],
  ["unset", /-\w*f/],
]);

/**
 * Variables that decide which program a name means, or that bash or a listed program runs as code. A script that sets
 * one could make an allowed name do anything, so it may not.
 */
export function isGuardedVariable(name: string): boolean {
  return /^(PATH|PS4|ENV|BASH_ENV|BASH_ALIASES|BASH_CMDS|BASH_FUNC_.*|LD_.*|GIT_.*|PAGER|LESSOPEN|LESSCLOSE)$/s.test(
    name,
  );
}

/** Bash evaluates the subscript of a variable's name, even when it arrives as text: `a[$(cmd)]`. */
export function hidesSubstitution(text: string): boolean {
  return /\[[^\]]*(\$[({]|`)/s.test(text);
}
