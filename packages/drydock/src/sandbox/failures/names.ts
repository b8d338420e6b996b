const MAX_CHARS = 200;
const PYTHON_NAME = /^\.*[\p{L}_][\p{L}\p{N}_]*(\.[\p{L}_][\p{L}\p{N}_]*)*$/u;
const NODE_PACKAGE = /^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*(\/[\w./-]+)?$/i;
/** A file of the workspace's own, by a relative or an absolute path. */
const NODE_FILE = /^\.{0,2}\/[\w@+./-]+$/;
const PLAIN_PATH = /^[\w@+./-]+$/;

/** A name or a dotted path of names. What the code calls a name may be any text, and must not become a part of ours. */
export function isPythonName(text: string): boolean {
  return text.length <= MAX_CHARS && PYTHON_NAME.test(text);
}

/** A package, a file in one, or a path. */
export function isNodeName(text: string): boolean {
  return text.length <= MAX_CHARS && (NODE_PACKAGE.test(text) || NODE_FILE.test(text));
}

/** A path that needs no quotes, and is no option, where it stands in a command. */
export function isPlainPath(text: string): boolean {
  return PLAIN_PATH.test(text) && !text.startsWith("-");
}
