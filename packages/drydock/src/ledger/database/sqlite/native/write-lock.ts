const tails = new Map<string, Promise<void>>();

/** Waits for this process's earlier writers of the same database, first come first served. Resolves with the release. */
export async function acquireWriteLock(key: string): Promise<() => void> {
  const before = tails.get(key);
  const { promise: mine, resolve } = Promise.withResolvers<void>();
  tails.set(key, mine);
  if (before) await before;
  return () => {
    if (tails.get(key) === mine) tails.delete(key);
    resolve();
  };
}
