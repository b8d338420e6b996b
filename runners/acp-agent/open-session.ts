import {
  type ClientContext,
  type InitializeResponse,
  methods,
  type NewSessionRequest,
  PROTOCOL_VERSION,
} from "@agentclientprotocol/sdk";

type Capabilities = NonNullable<InitializeResponse["agentCapabilities"]>;

export interface AgentSession {
  sessionId: string;
  capabilities: Capabilities;
}

/** The directory and the MCP servers of a session are the host's to say: it puts them in. */
const PLACE: NewSessionRequest = { cwd: "/work", mcpServers: [] };

/** Goes on in the session of the turn before: resumed, else loaded. Where the agent can do neither, or has lost it, a new one. */
export async function openSession(agent: ClientContext, earlier: string | null): Promise<AgentSession> {
  const { agentCapabilities, protocolVersion } = await agent.request(methods.agent.initialize, {
    protocolVersion: PROTOCOL_VERSION,
    clientCapabilities: {},
    clientInfo: { name: "drydock", version: "0.1.0" },
  });
  if (protocolVersion !== PROTOCOL_VERSION)
    throw new Error(
      `It speaks version ${protocolVersion} of the protocol, and this runner version ${PROTOCOL_VERSION}.`,
    );
  const capabilities = agentCapabilities ?? {};
  const kept = earlier === null ? null : await goOn(agent, earlier, capabilities).catch(() => null);
  if (kept !== null) return { sessionId: kept, capabilities };
  const { sessionId } = await agent.request(methods.agent.session.new, PLACE);
  return { sessionId, capabilities };
}

async function goOn(agent: ClientContext, sessionId: string, capabilities: Capabilities): Promise<string | null> {
  if (capabilities.sessionCapabilities?.resume)
    await agent.request(methods.agent.session.resume, { sessionId, ...PLACE });
  else if (capabilities.loadSession) await agent.request(methods.agent.session.load, { sessionId, ...PLACE });
  else return null;
  return sessionId;
}

export async function closeSession(agent: ClientContext, { sessionId, capabilities }: AgentSession): Promise<void> {
  if (!capabilities.sessionCapabilities?.close) return;
  // It is ended right after this, whatever it says.
  await agent.request(methods.agent.session.close, { sessionId }).catch(() => {});
}
