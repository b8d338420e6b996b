import type { Dock } from "drydock";

type Call = [method: string, params?: object];

/** Asks the runners of `plugins/` to make calls. An agent answers in the conversation of its name. */
export function createAsk(dock: () => Dock) {
  async function send(conversation_id: string, message: unknown) {
    const input = { text: JSON.stringify(message) };
    const sent = await dock().host.send({ type: "message.received", conversation: { conversation_id }, input });
    if (sent.kind !== "answered" || !sent.ok) throw new Error(JSON.stringify(sent));
    return sent;
  }
  return {
    /** The results of calls that the runner of an agent makes, and what is on record of them. */
    async ask(agent: string, ...calls: Call[]) {
      const message = calls.map(([method, params = {}]) => [method, params]);
      const { text, runId } = await send(agent, message);
      const [resources, ...results] = JSON.parse(text);
      const events = await dock().runs.events(runId);
      return { resources, results, calls: events.filter(({ type }) => type === "host.called").map(({ data }) => data) };
    },
    /** The same from Python: one run for all calls. */
    async askPython(agent: string, calls: readonly [string, object][]) {
      return JSON.parse((await send(agent, { calls })).text).answers;
    },
  };
}

export const retrieve = (kb_id: string, more: object = {}): [string, object] => [
  "retrieve_knowledge",
  { kb_id, query_text: "crane", ...more },
];
