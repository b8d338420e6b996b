/**
 * Work in several lanes at once. Where one fails, the others are told to stop and are waited for: nothing of them goes on
 * behind the back of the one who gets the error.
 */
export async function runLanes<T>(lanes: readonly ((stop: AbortSignal) => Promise<T>)[]): Promise<T[]> {
  const failed = new AbortController();
  const results: T[] = [];
  const run = async (lane: (stop: AbortSignal) => Promise<T>, at: number) => {
    try {
      results[at] = await lane(failed.signal);
    } catch (error) {
      failed.abort(error);
    }
  };
  await Promise.all(lanes.map(run));
  failed.signal.throwIfAborted();
  return results;
}
