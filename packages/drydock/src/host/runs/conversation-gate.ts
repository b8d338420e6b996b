/*
 * open ──clear──► closed ──► open     events that come while it is closed are handled when it is open again
 *
 * Whoever deletes a conversation has it for himself: nothing that came before is left, and nothing that comes later is touched.
 */
export interface ConversationGate {
  isClosed(conversation: string): boolean;
  /** Handles an event, when nobody clears its conversation any more. */
  handle<T>(conversation: string | null, work: () => Promise<T>): Promise<T>;
  /** What is being handled, as a promise that never rejects. */
  findHandled(conversation: string): Promise<unknown> | undefined;
  /** Empties the conversation and does the work, both again as long as the work gives false. */
  clear(conversation: string, empty: () => Promise<void>, work: () => Promise<boolean>): Promise<void>;
}

export function createConversationGate(): ConversationGate {
  const closed = new Map<string, Promise<void>>();
  const handled = new Map<Promise<unknown>, string>();
  return {
    isClosed: (conversation) => closed.has(conversation),
    async handle(conversation, work) {
      if (conversation === null) return work();
      while (closed.has(conversation)) await closed.get(conversation);
      const handling = work();
      const settled = handling.catch(() => {});
      handled.set(settled, conversation);
      void settled.then(() => handled.delete(settled));
      return handling;
    },
    findHandled: (conversation) => [...handled].find(([, where]) => where === conversation)?.[0],
    async clear(conversation, empty, work) {
      while (closed.has(conversation)) await closed.get(conversation);
      const over = Promise.withResolvers<void>();
      closed.set(conversation, over.promise);
      try {
        do await empty();
        while (!(await work()));
        // Messages that a run had left may have begun a run in between. It is cancelled like all others.
        await empty();
      } finally {
        closed.delete(conversation);
        over.resolve();
      }
    },
  };
}
