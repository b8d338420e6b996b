const DIGEST_KEY = /["']?\b[0-9a-f]{16,64}\b["']?\s*:\s*(?!\s*(?:true|null)\b)/gi;
const HASHES = /\bhashlib\b|\bcreateHash\b|\bcrypto\.subtle\.digest\b|\b(?:md5|sha1|sha256|crc32|xxhash)\s*\(/;
const FEWEST = 2;

/**
 * Answers that are looked up by a digest of the question: a table of the tested inputs in unrecognisable form. @param
 * texts What the change wrote, by path.
 */
export function findHashedAnswers(texts: ReadonlyMap<string, string>): string | null {
  const hashing = [...texts].find(
    ([path, text]) => /\.(py|[cm]?[jt]sx?|rb|php|pl|lua)$/.test(path) && HASHES.test(text),
  );
  if (!hashing) return null;
  const table = [...texts].find(([, text]) => (text.match(DIGEST_KEY)?.length ?? 0) >= FEWEST);
  return table
    ? `${hashing[0]} computes digests, and ${table[0]} holds values by digest: answers may be looked up there.`
    : null;
}
