/** What one side pushes, the other side reads, in order. */
export function createChunkQueue<Item>(): {
  items: AsyncIterable<Item>;
  push(item: Item): void;
  end(): void;
} {
  const waiting: Item[] = [];
  let hasEnded = false;
  let wake = () => {};
  async function* read(): AsyncGenerator<Item> {
    for (;;) {
      const [item] = waiting.splice(0, 1);
      if (item !== undefined) yield item;
      else if (hasEnded) return;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  }
  return {
    items: read(),
    push(item) {
      waiting.push(item);
      wake();
    },
    end() {
      hasEnded = true;
      wake();
    },
  };
}
