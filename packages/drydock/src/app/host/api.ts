import type {
  Binding,
  HostAgent,
  HostAgentChanges,
  HostEvent,
  HostEventInput,
  HostStatus,
  NewBinding,
  NewHostAgent,
  Risk,
  Route,
  SendResult,
} from "@drydock/protocol";
import type { Message, PluginManifest, RunnerDiscovery } from "@drydock/protocol/runner";
import type * as z from "zod";
import type { AnswerOptions } from "../../host/index.ts";
import type { HostConversations, HostEvents } from "./conversations.ts";
import type { HostRuns } from "./run-control.ts";

/** How the caller follows one event. */
export type SendOptions = AnswerOptions;

/** A plugin as it is installed. */
export interface InstalledPlugin extends PluginManifest {
  /** `author/name`. */
  id: string;
  directory: string;
  /** Why it can't be used; null where it can. */
  problem: string | null;
}

/** What a runner asked for, and about which event. */
export interface RequestedAction {
  action: string;
  target: Record<string, unknown> | null;
  payload: Record<string, unknown> | null;
  agent: string;
  /** The runner's run. */
  runId: string;
  conversation: HostEvent["conversation"] | null;
  actor: HostEvent["actor"] | null;
}

export interface ActionContext {
  signal: AbortSignal;
  /** The action's own run. */
  runId: string;
  /** Sends a message to where the event came from. */
  deliver(message: Message): Promise<void>;
}

/** Carries out one kind of action. It is the owner's own code and runs in the host. */
export interface ActionExecutor {
  description?: string;
  /** From the policy's `extensions.approval` on, a person has to approve it first. Default: high. */
  risk?: Risk;
  /** JSON Schema that the payload has to fit. Default: anything. */
  payload?: Record<string, unknown>;
  /** Default 60. */
  timeoutSeconds?: number;
  /** What it returns is kept on record as text. It checks the target itself. */
  run(request: RequestedAction, context: ActionContext): Promise<unknown>;
}

export interface ActionInfo {
  name: string;
  description: string;
  risk: Risk;
}

/** Sends a message on a surface, such as a chat platform. */
export type DeliverMessage = (delivery: {
  target: Record<string, unknown>;
  message: Message;
  text: string;
  runId: string;
  agent: string;
}) => Promise<void>;

/** A file that settings of agents can name. It is the value of a field of the type `file`. */
export interface ConfigFile {
  file_key: string;
  file_name: string;
  mime_type: string | null;
}

/** The host of agents: plugins with runners, agents that last, bindings, and events that reach them. */
export interface AgentHost {
  plugins: {
    /** Checks a directory with a `plugin.yaml`. */
    check(directory: string): Promise<PluginManifest>;
    /** Copies the plugin into the home, in place of an earlier version of it. */
    add(directory: string): Promise<InstalledPlugin>;
    list(): Promise<InstalledPlugin[]>;
    remove(id: string): Promise<InstalledPlugin>;
    /** Starts each plugin and asks for its runners. One that does not work is a warning. */
    runners(): Promise<{ runners: RunnerDiscovery[]; warnings: string[] }>;
  };
  agents: {
    add(agent: z.input<typeof NewHostAgent>): Promise<HostAgent>;
    find(name: string): Promise<HostAgent>;
    list(): Promise<HostAgent[]>;
    /** What is left out stays, in grants and delivery as well. */
    change(name: string, changes: HostAgentChanges): Promise<HostAgent>;
    remove(name: string): Promise<HostAgent>;
    bind(binding: z.input<typeof NewBinding>): Promise<Binding>;
    unbind(id: string): Promise<Binding>;
    bindings(): Promise<Binding[]>;
  };
  readonly actions: {
    /** `name` has two words or more, such as `ticket.close`. The host does nothing that is not registered. */
    register(name: string, executor: ActionExecutor): void;
    list(): ActionInfo[];
  };
  readonly surfaces: {
    /** Where messages go whose event names this surface and a reply target. */
    register(name: string, deliver: DeliverMessage): void;
  };
  files: {
    /** Keeps a file of at most 10 MB for the settings of agents. */
    add(file: { name: string; content: Uint8Array; mime?: string }): Promise<ConfigFile>;
    /** False where there is no such file. */
    remove(key: string): Promise<boolean>;
  };
  /** Handles an event: exactly one binding, one run, one runner. */
  send(event: HostEventInput, options?: SendOptions): Promise<SendResult>;
  /** What was refused or wrong and belongs to no run. */
  warnings(): Promise<string[]>;
  /** Which binding an event would take, and why. */
  route(event: HostEventInput): Promise<Route>;
  events: HostEvents;
  conversations: HostConversations;
  runs: HostRuns;
  status(): Promise<HostStatus>;
}
