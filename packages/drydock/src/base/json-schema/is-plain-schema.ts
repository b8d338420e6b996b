const DIALECT = /^https?:\/\/json-schema\.org\/(draft-0[467]|draft\/20(19-09|20-12))\/schema#?$/;
/** An address that can't be one of the dialects' own, however it is written: their host, escapes and foreign letters. */
const CLAIMS_DIALECT = /json-schema\.org|[^!-$&-~]/i;

/**
 * Whether a schema leaves the library as it was. The library keeps some of what it reads for good: `$vocabulary` defines a
 * dialect, or redefines one that exists, and a schema under the address of a dialect is taken for what that dialect
 * demands. The next schema would be judged by it.
 */
export function isPlainSchema(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isPlainSchema);
  if (typeof schema !== "object" || schema === null) return true;
  return Object.entries(schema).every(([name, value]) => isPlainKeyword(name, value) && isPlainSchema(value));
}

export function isPlainAddress(address: string): boolean {
  return !CLAIMS_DIALECT.test(address);
}

function isPlainKeyword(name: string, value: unknown): boolean {
  switch (name) {
    case "$vocabulary":
    case "__proto__":
      return false;
    case "$schema":
      return typeof value !== "string" || DIALECT.test(value);
    case "$id":
    case "id":
      return typeof value !== "string" || isPlainAddress(value);
    default:
      return true;
  }
}
