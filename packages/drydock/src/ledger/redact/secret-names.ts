/**
 * Names of variables and fields that hold a secret: `DB_PASS`, `apiKey`, `PGPASSWORD`. Not `AUTHOR`, `KEYBOARD`, `BYPASS`
 * or `SHIPPING`, which only have such letters in them.
 */
const SECRET = new RegExp(
  [
    "SECRET|TOKEN(?!I[ZS])|(?<!BY|COM)PASS(?!ENGER|IVE|THROUGH)|PWD|KEY(?!BOARD|MAP|WORD)|CREDENTIAL",
    "AUTH(?!OR(?!I[ZS]))|SALT|PHRASE|PIN(?:S|CODE)?(?![A-Z])|LOGIN",
  ].join("|"),
  "i",
);
const PATH = /(?:PATH|(?<!PRO)FILE|DIR|DIRECTORY|FOLDER|SOCK|SOCKET|STORE|APPLICATION_CREDENTIALS)S?$/i;
const COUNT =
  /^(?:MAX|MIN|NUM)_|_(?:MAX|MIN|TTL|EXPIRY|EXPIRES?|EXPIRES_(?:AT|IN)|EXPIRATION|TIMEOUT|LIMIT|COUNT|SIZE|LENGTH|VERSION|PORT|INTERVAL|DATE|TIME|SECONDS|MS)$/i;

export function isSecretName(name: string): boolean {
  return SECRET.test(name);
}

/** Where the secret lies: `SSH_KEY_PATH`, `GOOGLE_APPLICATION_CREDENTIALS`. */
export function isPathName(name: string): boolean {
  return PATH.test(name);
}

/** How many, how long or when: `MAX_TOKENS`, `TOKEN_TTL`. A number there is only that. */
export function isCountName(name: string): boolean {
  return COUNT.test(name);
}
