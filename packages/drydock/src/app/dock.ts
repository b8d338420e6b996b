import type { Tasks } from "./backlog/api.ts";
import type { Boxes } from "./boxes/api.ts";
import type { CleanUp } from "./clean-up/api.ts";
import type { Doctor } from "./doctor/api.ts";
import type { Execution } from "./execute/api.ts";
import type { Extensions } from "./extensions/api.ts";
import type { Goals } from "./goals/api.ts";
import type { AgentHost } from "./host/api.ts";
import type { Knowledge } from "./knowledge/api.ts";
import type { Load } from "./load/api.ts";
import type { Models } from "./models/api.ts";
import type { WrapModel } from "./models/wrap-model.ts";
import type { HomePolicy, PolicyViews } from "./policies/api.ts";
import type { Profiles } from "./profiles/api.ts";
import type { Audit, Keys } from "./receipts/api.ts";
import type { EarlyStart } from "./run-place.ts";
import type { Runs } from "./runs/api.ts";
import type { OnEvents } from "./runs/on-events.ts";
import type { Sessions } from "./sessions/api.ts";
import type { Skills } from "./skills/api.ts";
import type { PythonTasks } from "./tasks/api.ts";
import type { Upstreams } from "./upstreams/api.ts";
import type { Verifier } from "./verify/api.ts";
import type { Workers } from "./workers/api.ts";
import type { Wraps } from "./wraps/api.ts";

/** All use cases. Those that it extends are methods of the dock itself; the others have a name of their own. */
export interface Dock extends Execution, Verifier, PythonTasks, CleanUp, Doctor, Load {
  readonly home: string;
  readonly sessions: Sessions;
  readonly goals: Goals;
  readonly tasks: Tasks;
  /** Declared capabilities: what they are, and doing what they declare. */
  readonly extensions: Extensions;
  readonly runs: Runs;
  /** Programs of people, such as coding agents, in the sandbox. */
  readonly wraps: Wraps;
  readonly profiles: Profiles;
  readonly policies: PolicyViews;
  /** The owner's policy as it is written, and questions about what it allows. */
  readonly homePolicy: HomePolicy;
  readonly models: Models;
  /** Servers that runs use without their keys. */
  readonly upstreams: Upstreams;
  /** Agents that last, their runners, and events that reach them. */
  readonly host: AgentHost;
  /** Sandboxes that last for those agents. */
  readonly boxes: Boxes;
  /** Instructions and files that those agents can be granted. */
  readonly skills: Skills;
  /** Sets of documents that people, agents and runners can search. */
  readonly knowledge: Knowledge;
  /** Processes that carry runs out, on all machines that share a database. */
  readonly workers: Workers;
  readonly audit: Audit;
  /** What receipts and anchors are signed with. */
  readonly keys: Keys;
  close(): Promise<void>;
}

export interface DockOptions {
  /** Where all state lives. Default: DRYDOCK_HOME, else ~/.drydock. */
  home?: string;
  /** The Python to use. Default: the first python3 on the PATH that an unprivileged user can read. */
  python?: string;
  /** How many members wait for the next run, per kind. Default: 8; 0 makes each one when it is needed. */
  warm?: number;
}

/** For Drydock's own surfaces and tests. */
export interface InternalOptions extends DockOptions {
  early?: EarlyStart | null;
  /** For tests that record what a model answers, and replay it. */
  wrapModel?: WrapModel;
  onEvents?: OnEvents;
  /** Whether several people use the dock, as with a server: each request then names its caller. */
  isShared?: boolean;
  /** For commands that only look: a home that can't be written is opened all the same. */
  readsOnly?: boolean;
}
