import type {
  Binding,
  HarnessPlan,
  HostAgent,
  HostAgentChanges,
  HostChoices,
  HostEvent,
  HostEventInput,
  HostStatus,
  HostStep,
  HostWarning,
  NewBinding,
  NewHostAgent,
  PluginInfo,
  Risk,
  Route,
  SendResult,
} from "@drydock/protocol";
import type { Message, PluginManifest, RunnerDiscovery } from "@drydock/protocol/runner";
import type * as z from "zod";
import type { HostConversations, HostEvents, HostRuns } from "./resources-api.ts";
import type { HostSources } from "./sources/host-sources.ts";

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
  /** Files beside the event, at most 20 of 20 MB each. They become artifacts of its run. */
  files?: readonly { name: string; mime: string; bytes: Uint8Array }[];
  /** What was said before, the oldest first. It is kept with a new conversation; an earlier one has a history of its own. */
  history?: readonly Message[];
  /**
   * Opens an MCP server on loopback for this run, with a token of its own, and writes what a harness needs into the
   * directory. Both are gone when the run has ended.
   */
  gateway?: { directory?: string; onOpen?(access: { runId: string; url: string; token: string }): void };
}

/** A plugin as it is installed, or found. */
export interface InstalledPlugin extends PluginManifest {
  /** `author/name`. */
  id: string;
  directory: string;
  /** How it got here: by `dev`, by `add`, in a folder of the settings, as an npm package there, with an extension, or with Drydock. */
  origin: PluginInfo["origin"];
  /** Another text where its files have changed. */
  fingerprint: string;
  /** Its author has started its process, so that there can't be a second one. */
  isExclusive?: boolean;
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
  /** Ids of artifacts of the run that belong to the message. */
  artifacts: readonly string[];
  runId: string;
  agent: string;
}) => Promise<void>;

/** What somebody agrees to who installs a plugin. */
export interface PluginPlan {
  plugin: InstalledPlugin;
  sha256: string;
  /** The version that it takes the place of. */
  installed: string | null;
  /** As the plugin names them, started in the sandbox without hosts and variables. */
  runners: RunnerDiscovery[];
  warnings: string[];
}

export interface AddPluginOptions {
  /** Shown what the plugin asks for; without consent nothing is installed. Default: whoever calls has agreed. */
  approve?(plan: PluginPlan): Promise<boolean>;
  /** Nothing else is installed than what has this hash. */
  sha256?: string;
}

export const PLUGIN_LANGUAGES = ["typescript", "python"] as const;
export type PluginLanguage = (typeof PLUGIN_LANGUAGES)[number];

export interface DevelopOptions {
  /** The author starts the program, with a debugger for instance. It connects by itself, with the variables that `attach` gives. */
  attach?: boolean;
  /** What the program writes to stderr, and what happens to its connection. */
  onLog?(text: string): void;
  /** The files have changed: null where the new version is used from now on, else why it can't be. */
  onChange?(problem: string | null): void;
}

/** A plugin that is being developed. All hosts of the home use it in place of one that is installed. */
export interface DevelopedPlugin {
  id: string;
  /** Where the program connects, where its author starts it. */
  attach: { url: string; token: string } | null;
  close(): Promise<void>;
}

export interface PackedPlugin {
  id: string;
  version: string;
  file: string;
  sha256: string;
  bytes: number;
  files: number;
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
    /** Writes a plugin to start from, with a test; `name` is AUTHOR/NAME. Gives its directory. */
    scaffold(name: string, options?: { language?: PluginLanguage; directory?: string }): Promise<string>;
    /** Offers the plugin in a directory to all hosts of the home, each time with the files as they are then. */
    develop(directory: string, options?: DevelopOptions): Promise<DevelopedPlugin>;
    /** Makes one archive of a plugin. The same files give the same hash. */
    pack(directory: string, options?: { file?: string }): Promise<PackedPlugin>;
    /** Copies a directory, an archive or an npm package that lies here into the home, in place of an earlier version. */
    add(source: string, options?: AddPluginOptions): Promise<InstalledPlugin>;
    list(): Promise<InstalledPlugin[]>;
    remove(id: string): Promise<InstalledPlugin>;
    /** What the processes of this plugin have written beside the protocol, in this process. Nothing of it is kept. */
    log(id: string): Promise<string>;
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
    /** What an agent on this machine may do, and whether the owner has agreed to that. */
    harness(name: string): Promise<HarnessPlan>;
    /** Agrees to it. With `hash`, only to what was shown under that hash. */
    enable(name: string, options?: { hash?: string }): Promise<HarnessPlan>;
    disable(name: string): Promise<HarnessPlan>;
    bind(binding: z.input<typeof NewBinding>): Promise<Binding>;
    /** Puts another binding in the place of this one, which keeps its id. */
    rebind(id: string, binding: z.input<typeof NewBinding>): Promise<Binding>;
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
  /** What a form for an agent offers. Nothing is started for it. */
  choices(): Promise<HostChoices>;
  /** Handles an event: exactly one binding, one run, one runner. */
  send(event: HostEventInput, options?: SendOptions): Promise<SendResult>;
  /**
   * Handles messages that were queued for a run which went down with its process: each becomes a run of its own, once, however
   * many programs ask for it. Gives their number; their runs go on afterwards. `drydock serve` does it when it starts.
   */
  resume(): Promise<number>;
  /** What was refused or wrong and belongs to no run, in earlier processes as well, the newest first. */
  warnings(): Promise<HostWarning[]>;
  /** Which binding an event would take, and why; none where `agent` is named. Nothing is recorded or started. */
  route(event: HostEventInput, options?: Pick<SendOptions, "agent">): Promise<Route>;
  sources: HostSources;
  events: HostEvents;
  conversations: HostConversations;
  runs: HostRuns;
  status(): Promise<HostStatus>;
}
