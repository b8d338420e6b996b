import { type Literal, MIN_LITERAL_LENGTH } from "./literal-search.ts";
import { spellings } from "./spellings.ts";

/** Variables about the terminal, the language, the user's tools or the build: never secret. */
const HARMLESS = new RegExp(
  `^(?:${[
    "TERM|TERM_PROGRAM|TERM_PROGRAM_VERSION|COLORTERM|COLORFGBG|FORCE_COLOR|NO_COLOR|LS_COLORS|COLUMNS|LINES",
    "LANG|LANGUAGE|LC_[A-Z]+|TZ",
    "SHELL|SHLVL|PATH|MANPATH|PWD|OLDPWD|HOME|USER|USERNAME|LOGNAME|HOSTNAME|HOSTTYPE|OSTYPE|MACHTYPE|MAIL|TMPDIR|_",
    "EDITOR|VISUAL|PAGER|LESS|LESSOPEN|LESSCLOSE|DISPLAY|WAYLAND_DISPLAY|XDG_[A-Z_]+|DESKTOP_SESSION",
    "NODE_ENV|NODE_OPTIONS|PYTHON[A-Z]*|VIRTUAL_ENV|VIRTUAL_ENV_PROMPT|DEBIAN_FRONTEND|container",
    "npm_(?:lifecycle|package)_\\w+|npm_command|npm_execpath|npm_node_execpath|npm_config_user_agent|INIT_CWD",
  ].join("|")})$`,
);
const NUMBER_OR_BOOLEAN = /^(?:[+-]?\d[\d._,:-]*|true|false|yes|no|on|off|null|none|undefined|enabled|disabled)$/i;
const ABSOLUTE_PATH = /^~?\/[^\s+=]*$/;
const SECRET_NAME = /SECRET|TOKEN|PASSW|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|CREDENTIAL/i;
/** An address without path, query or credentials: nothing in it opens anything. */
const BARE_ADDRESS = /^[a-z][a-z0-9+.-]*:\/\/[^\s/@?#]+\/?$/i;
const URL_PASSWORD = /^[a-z][a-z0-9+.-]*:\/\/[^\s/@:]*:([^\s/@]+)@/i;

/** What must not be stored of an environment: the values that are not allowed through, in each spelling they may turn up in. */
export function environmentSecrets(
  environment: Readonly<Record<string, string | undefined>>,
  isAllowed: (name: string) => boolean,
): Literal[] {
  const found = new Map<string, string>();
  for (const [name, raw] of Object.entries(environment)) {
    const value = raw?.trim() ?? "";
    if (isAllowed(name) || HARMLESS.test(name) || !isSecretValue(name, value)) continue;
    const password = URL_PASSWORD.exec(value)?.[1] ?? "";
    for (const secret of [value, password]) {
      for (const text of spellings(secret, MIN_LITERAL_LENGTH)) {
        if (!found.has(text)) found.set(text, name);
      }
    }
  }
  return Array.from(found, ([text, name]) => ({ text, name }));
}

function isSecretValue(name: string, value: string): boolean {
  if (value.length < MIN_LITERAL_LENGTH) return false;
  if (NUMBER_OR_BOOLEAN.test(value) || BARE_ADDRESS.test(value)) return false;
  // A random key may well begin with a slash; where the name says that it is one, it is believed.
  return !ABSOLUTE_PATH.test(value) || SECRET_NAME.test(name);
}
