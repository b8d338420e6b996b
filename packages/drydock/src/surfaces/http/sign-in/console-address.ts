import { digestToken, loadSignIns } from "../../../app/index.ts";
import { CONSOLE_PATH } from "../console/console-path.ts";

/**
 * Where the console is. The code stands behind a `#`, which no browser sends: neither a log nor a proxy sees it, and a
 * program that only looks at the address does not use it up.
 */
export async function writeConsoleAddress(url: string, home: string, token: string | null): Promise<string> {
  const base = `${url}${CONSOLE_PATH}/`;
  if (token === null) return base;
  const { createSignInCode } = await loadSignIns();
  return `${base}sign-in#code=${await createSignInCode(home, digestToken(token))}`;
}
