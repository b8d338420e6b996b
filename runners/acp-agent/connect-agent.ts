import {
  type AnyMessage,
  type ClientContext,
  client,
  methods,
  type SessionNotification,
  type Stream,
} from "@agentclientprotocol/sdk";
import type { HostApi } from "@drydock/runner-sdk";

/** The agent's streams, as calls of the host that has started it. */
export interface AgentConnection {
  stream: Stream;
  /** Why the agent has ended; null while it runs. */
  ended(): string | null;
}

export function connectAgent(api: HostApi): AgentConnection {
  let reason: string | null = null;
  const readable = new ReadableStream<AnyMessage>({
    async pull(controller) {
      const { messages, ended } = await api.harness_read();
      for (const message of messages) controller.enqueue(JSON.parse(message));
      if (ended === null) return;
      reason = ended;
      controller.close();
    },
  });
  const writable = new WritableStream<AnyMessage>({
    async write(message) {
      await api.harness_send({ message: JSON.stringify(message) });
    },
  });
  return { stream: { readable, writable }, ended: () => reason };
}

export type SessionUpdate = SessionNotification["update"];

/** Talks with the agent as its client, until `use` is done. */
export async function asClient<T>(
  stream: Stream,
  onUpdate: (update: SessionUpdate) => void,
  use: (agent: ClientContext) => Promise<T>,
): Promise<T> {
  return client({ name: "drydock-acp-agent" })
    .onNotification(methods.client.session.update, ({ params }) => onUpdate(params.update))
    .connectWith(stream, use);
}
