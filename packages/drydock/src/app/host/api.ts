import type {
  Binding,
  HostAgent,
  HostAgentChanges,
  HostEventInput,
  HostStatus,
  HostStep,
  NewBinding,
  NewHostAgent,
  Route,
  SendResult,
} from "@drydock/protocol";
import type { Message, PluginManifest, RunnerDiscovery } from "@drydock/protocol/runner";
import type * as z from "zod";
import type { HostConversations, HostEvents, HostRuns } from "./resources-api.ts";

/** How the caller follows one event. */
export interface SendOptions {
  signal?: AbortSignal;
  onStarted?(runId: string): void;
  /** Text as it comes. */
  onDelta?(text: string): void;
  /** Everything that happens until the answer: received, queued or absorbed, started, text, tool calls, messages, the end. */
  onStep?(step: HostStep): void;
  /** The agent that gets it, whatever the bindings say. */
  agent?: string;
  /** What was said before, the oldest first. It is kept with a new conversation; an earlier one has a history of its own. */
  history?: readonly Message[];
}

/** A plugin as it is installed. */
export interface InstalledPlugin extends PluginManifest {
  /** `author/name`. */
  id: string;
  directory: string;
  /** Why it can't be used; null where it can. */
  problem: string | null;
}

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
  files: {
    /** Keeps a file of at most 10 MB for the settings of agents. */
    add(file: { name: string; content: Uint8Array; mime?: string }): Promise<ConfigFile>;
    /** False where there is no such file. */
    remove(key: string): Promise<boolean>;
  };
  /** Handles an event: exactly one binding, one run, one runner. */
  send(event: HostEventInput, options?: SendOptions): Promise<SendResult>;
  /** Which binding an event would take, and why. */
  route(event: HostEventInput): Promise<Route>;
  events: HostEvents;
  conversations: HostConversations;
  runs: HostRuns;
  status(): Promise<HostStatus>;
}
