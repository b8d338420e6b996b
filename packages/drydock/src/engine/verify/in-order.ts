/**
 * Runs up to `limit` items at once, and reports each result in the order of the items. After a failure no more items
 * are started; the error is thrown when all started items have ended.
 */
export async function doInOrder<T, R>(
  items: readonly T[],
  limit: number,
  act: (item: T, index: number) => Promise<R>,
  onResult: (result: R) => unknown,
): Promise<R[]> {
  const todo = items.entries();
  const ready = new Map<number, R>();
  const results: R[] = [];
  let reporting: Promise<void> = Promise.resolve();
  let isOver = false;

  const reportReady = async () => {
    for (let index = results.length; ready.has(index); index = results.length) {
      const result = ready.get(index) as R;
      results.push(result);
      await onResult(result);
    }
  };
  const work = async () => {
    for (const [index, item] of todo) {
      if (isOver) return;
      try {
        ready.set(index, await act(item, index));
        reporting = reporting.then(reportReady);
        await reporting;
      } catch (error) {
        isOver = true;
        throw error;
      }
    }
  };

  const ends = await Promise.allSettled(Array.from({ length: Math.max(1, limit) }, work));
  const failure = ends.find((end) => end.status === "rejected");
  if (failure) throw failure.reason;
  return results;
}
