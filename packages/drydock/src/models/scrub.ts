const KEY_LIKE = /\b(sk|key|gsk|xai)-[A-Za-z0-9_*.-]{6,}|\b(Bearer|Basic)\s+[A-Za-z0-9_*.~+/=-]{4,}/gi;

/** The user and password of an address. */
const USER_INFO = /\/\/[^\s/@]*@/g;

/** Takes the key out of what a provider says: some repeat it, whole or in part. */
export function scrub(text: string, key: string | undefined): string {
  const known = key !== undefined && key.length >= 4 ? text.replaceAll(key, "[key]") : text;
  return known.replace(KEY_LIKE, "[key]").replace(USER_INFO, "//");
}
