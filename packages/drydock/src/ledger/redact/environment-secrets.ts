import { type Literal, MIN_LITERAL_LENGTH } from "./literal-search.ts";
import { isPath, listParts } from "./parts.ts";
import { isCountName, isPathName, isSecretName } from "./secret-names.ts";
import { spellings } from "./spellings.ts";

/** Variables about the terminal, the language, the user's tools or the build: never secret. */
const HARMLESS = new RegExp(
  `^(?:${[
    "TERM|TERM_PROGRAM|TERM_PROGRAM_VERSION|COLORTERM|COLORFGBG|FORCE_COLOR|NO_COLOR|LS_COLORS|COLUMNS|LINES",
    "LANG|LANGUAGE|TZ",
    "SHELL|SHLVL|PATH|MANPATH|PWD|OLDPWD|HOME|USER|USERNAME|LOGNAME|HOSTNAME|HOSTTYPE|OSTYPE|MACHTYPE|MAIL|TMPDIR|_",
    "EDITOR|VISUAL|PAGER|LESS|LESSOPEN|LESSCLOSE|DISPLAY|WAYLAND_DISPLAY|DESKTOP_SESSION",
    "NODE_ENV|NODE_OPTIONS|VIRTUAL_ENV|VIRTUAL_ENV_PROMPT|DEBIAN_FRONTEND|container",
    "npm_command|npm_execpath|npm_node_execpath|npm_config_user_agent|INIT_CWD",
  ].join("|")})$`,
);
/** Whole families of such variables. Anybody may add one, so that a name that says "secret" is believed. */
const HARMLESS_FAMILY = /^(?:LC_[A-Z]+|XDG_[A-Z_]+|PYTHON[A-Z]*|npm_(?:lifecycle|package)_\w+)$/;
const NUMBER = /^[+-]?\d[\d._,:-]*$/;
const BOOLEAN = /^(?:true|false|yes|no|on|off|null|none|undefined|enabled|disabled)$/i;
const ABSOLUTE_PATH = /^~?\/[^\s+=]*$/;
/** `production`, `inputTokens`: what records are made of. It would be taken out of them wherever it stands. */
const PLAIN_WORD = /^[A-Za-z]{1,20}$/;
/** An address without path, query or credentials: nothing in it opens anything. */
const BARE_ADDRESS = /^[a-z][a-z0-9+.-]*:\/\/[^\s/@?#]+\/?$/i;

/** What must not be stored of an environment: the values that are not allowed through, in each spelling they may turn up in. */
export function environmentSecrets(
  environment: Readonly<Record<string, string | undefined>>,
  isAllowed: (name: string) => boolean,
): Literal[] {
  const found = new Map<string, string>();
  for (const [name, raw] of Object.entries(environment)) {
    const value = raw?.trim() ?? "";
    if (isAllowed(name) || isHarmless(name) || !isSecretValue(name, value)) continue;
    for (const secret of [value, ...listParts(name, value)]) {
      for (const text of spellings(secret, MIN_LITERAL_LENGTH)) {
        if (!found.has(text)) found.set(text, name);
      }
    }
  }
  return Array.from(found, ([text, name]) => ({ text, name }));
}

function isHarmless(name: string): boolean {
  return HARMLESS.test(name) || (HARMLESS_FAMILY.test(name) && !isSecretName(name));
}

function isSecretValue(name: string, value: string): boolean {
  if (value.length < MIN_LITERAL_LENGTH || BOOLEAN.test(value) || BARE_ADDRESS.test(value)) return false;
  const isNamed = isSecretName(name);
  if (NUMBER.test(value)) return isNamed && !isCountName(name);
  if (PLAIN_WORD.test(value)) return isNamed;
  if (!ABSOLUTE_PATH.test(value)) return true;
  // A random key may well begin with a slash.
  return isNamed && !isPathName(name) && !isPath(value);
}
