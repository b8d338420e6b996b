const HOP_BY_HOP = [
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

/** Drops what concerns one hop only, what `Connection` declares to do so, and `more`. Takes and gives Node's flat list. */
export function endToEndHeaders(rawHeaders: readonly string[], more: readonly string[] = []): string[] {
  const pairs: Array<readonly [name: string, value: string]> = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    pairs.push([rawHeaders[index] ?? "", rawHeaders[index + 1] ?? ""]);
  }
  const declared = pairs
    .filter(([name]) => name.toLowerCase() === "connection")
    .flatMap(([, value]) => value.split(","))
    .map((name) => name.trim().toLowerCase());
  const dropped = new Set([...HOP_BY_HOP, ...declared, ...more]);
  return pairs.filter(([name]) => !dropped.has(name.toLowerCase())).flat();
}
