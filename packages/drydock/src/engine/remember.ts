import type { EventType } from "@drydock/protocol";
import type { Journal } from "./ports.ts";

type Data = Record<string, unknown>;

/** The step's record where there is one; else the step is made and recorded. */
export async function remember<T extends Data>(
  journal: Journal,
  type: EventType,
  key: string,
  act: () => Promise<T> | T,
): Promise<T> {
  const recorded = journal.find(type, key);
  if (recorded) return recorded.data as T;
  const data = await act();
  await journal.append([{ type, key, data }]);
  return data;
}
