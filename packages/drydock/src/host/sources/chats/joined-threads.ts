import type { SourceContext } from "../adapter.ts";

const KEY = "threads";
const MOST = 500;

/** Threads in which the bot was spoken to. What is said in them speaks to it as well. The last ones are remembered. */
export interface JoinedThreads {
  has(chat: string, thread: string): boolean;
  add(chat: string, thread: string): Promise<void>;
}

export async function readJoinedThreads({ values }: Pick<SourceContext, "values">): Promise<JoinedThreads> {
  const joined = new Set<string>(JSON.parse((await values.get(KEY)) ?? "[]") as string[]);
  const nameOf = (chat: string, thread: string) => `${chat} ${thread}`;
  return {
    has: (chat, thread) => joined.has(nameOf(chat, thread)),
    async add(chat, thread) {
      const name = nameOf(chat, thread);
      if (joined.has(name)) return;
      joined.add(name);
      for (const oldest of joined) {
        if (joined.size <= MOST) break;
        joined.delete(oldest);
      }
      await values.set(KEY, JSON.stringify([...joined]));
    },
  };
}
