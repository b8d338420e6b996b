import { DrydockError, type PolicyDocument, type SessionInfo, type StepResult } from "@drydock/protocol";
import type { Dock, Session, SessionOptions, StepOptions } from "../../app/index.ts";
import type { CodeLanguage } from "../../tasks/index.ts";

/**
 * The REPL's own defaults, within what the owner allows: somebody waits for each step, and will want more than fifty. The
 * guard is that of `drydock exec`: what a person types works the same in both.
 */
export const REPL_PRESET: PolicyDocument = {
  limits: { wallSeconds: 30, cpuSeconds: 30 },
  sessions: { tasks: 500 },
};

/** Names come from inside the sandbox, and are shown: what is no name is left out. */
const IDENTIFIER = /^[\p{L}_$][\p{L}\p{M}\p{N}_$]{0,99}$/u;
const MAX_VARIABLES = 2000;

export interface ReplSession {
  readonly language: CodeLanguage;
  /** Names and types of what the session knows. */
  readonly variables: ReadonlyMap<string, string>;
  exec(
    code: string,
    watching: { signal: AbortSignal } & Pick<StepOptions, "onOutput" | "onInput">,
  ): Promise<StepResult>;
  /** The id of the session, which is opened where there is none. */
  open(): Promise<string>;
  /** Finds out what it knows, after somebody else used it who could not tell. */
  look(): Promise<void>;
  /** What somebody else found in the session after a step of theirs. */
  learn(variables: Readonly<Record<string, string>>): void;
  rollback: Session["rollback"];
  /** Null before the first step. */
  stats(): SessionInfo | null;
  /** Ends it; the next step opens another. */
  reset(): Promise<void>;
}

/** Python packages that the session's code finds. */
export type ReplPackages = Required<Pick<SessionOptions, "requirements" | "install">>;

export interface LiveSessionOptions {
  dock: Pick<Dock, "sessions">;
  language: CodeLanguage;
  workspace: string | undefined;
  unsafe: boolean;
  policy: PolicyDocument | undefined;
  packages: ReplPackages | undefined;
  /** Called if there is a new session, and the variables are gone; `why` says what became of the old one. */
  onLost(why: string): void;
}

/** One sandbox session for as long as the REPL lives: opened with the first step, and again where it has ended. */
export function createLiveSession(options: LiveSessionOptions): ReplSession {
  const { dock, language, workspace, unsafe, onLost } = options;
  let current: Promise<Session> | null = null;
  let stats: Session["stats"] | null = null;
  let variables = new Map<string, string>();
  /** By step, for rollbacks. */
  const past = new Map<number, Map<string, string>>();

  const open = async (): Promise<Session> => {
    current ??= dock.sessions.open({
      ...{ language, workspace, preset: REPL_PRESET, policy: options.policy },
      ...options.packages,
    });
    try {
      const session = await current;
      stats = session.stats;
      // A session that was idle for too long has ended by itself.
      if (dock.sessions.list().some(({ sessionId }) => sessionId === session.id)) return session;
      const why = await dock.sessions.find(session.id).catch((error: Error) => error.message);
      forget();
      onLost(String(why));
    } catch (error) {
      current = null;
      throw error;
    }
    return open();
  };

  function forget(): void {
    current = null;
    stats = null;
    variables = new Map();
    past.clear();
  }

  function learn(reported: Readonly<Record<string, string>>): void {
    const named = Object.entries(reported).filter(([name]) => IDENTIFIER.test(name));
    variables = new Map(named.slice(0, MAX_VARIABLES));
    past.set(stats?.().kept.at(-1) ?? 0, variables);
  }

  return {
    language,
    get variables() {
      return variables;
    },
    async exec(code, watching) {
      const session = await open();
      const result = await session.exec(code, { ...watching, unsafe });
      if (result.ok) learn(result.variables);
      return result;
    },
    open: async () => (await open()).id,
    async look() {
      // As a step of its own it would be what `/session rollback` takes back. Node has no steps that only look.
      const { ok, variables: found } = await (await open()).exec(language === "node" ? "// look" : "# look", {
        look: true,
      });
      if (ok) learn(found);
    },
    learn,
    async rollback(to, options) {
      if (!current) {
        throw new DrydockError("input.invalid", "There is no step to go back to.", "Run some code first.");
      }
      const done = await (await open()).rollback(to, options);
      variables = past.get(done.step) ?? new Map();
      return done;
    },
    stats: () => stats?.() ?? null,
    async reset() {
      const ending = current;
      forget();
      await ending?.then((session) => session.close()).catch(() => {});
    },
  };
}
