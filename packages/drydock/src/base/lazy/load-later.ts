/**
 * For what most uses of a dock never come to: its methods are there at once, and its code is loaded with the first call of
 * one. Each method is named where the compiler sees it, so that none can be missing or misspelled:
 *
 *     const later = loadLater(async () => (await import("./create-profiles.ts")).createProfiles(ports));
 *     return { get: later((profiles) => profiles.get), approve: later((profiles) => profiles.approve) };
 */
export function loadLater<T>(load: () => Promise<T>) {
  let loaded: Promise<T> | undefined;
  return <A extends unknown[], R>(pick: (loaded: T) => (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      loaded ??= load().catch((error: unknown) => {
        // A file that could not be read may be readable at the next call.
        loaded = undefined;
        throw error;
      });
      return pick(await loaded)(...args);
    };
}
