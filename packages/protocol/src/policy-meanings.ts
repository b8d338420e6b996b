import { BACKEND_NAMES, describeBackend, SANDBOX_LEVELS } from "./backends.ts";
import { LIMIT_KEYS, LIMITS, type LimitKey } from "./limits.ts";

const LIMIT_MEANINGS = Object.fromEntries(
  LIMIT_KEYS.map((key) => [`limits.${key}`, `${LIMITS[key].meaning} Default: ${LIMITS[key].default}.`]),
) as Record<`limits.${LimitKey}`, string>;

const BACKEND_MEANINGS = BACKEND_NAMES.flatMap((name) => {
  const { meaning } = describeBackend(name);
  return meaning === undefined ? [] : [`\`${name}\`: ${meaning}.`];
}).join(" ");

/** What each key of a policy means, for the policy as it is written and for the one that holds. */
export const POLICY_MEANINGS = {
  version: "Version of the format: 1.",
  files: "What a run may do with files of the workspace.",
  "files.access": "False: the run sees no workspace, only an empty directory. Default: true.",
  "files.write": "Globs of files that a run may change, relative to the workspace. Default: all.",
  "files.protect": "Globs of files that are never changed and never delivered. Default: `.git/**`, `.drydock/**`.",
  "files.hide":
    "Globs of files that do not exist inside the sandbox. Default: names of credentials, such as `.env`, `*.pem` and `id_rsa`.",
  commands: "Which commands a run may start.",
  "commands.allow":
    "Commands that may run: `ls` with any arguments, `npm test` exactly, `git diff *` with more. Default: `*`.",
  "commands.deny": "Commands that never run, even if `allow` matches them. Default: none.",
  network: "Which hosts a run may reach.",
  "network.allow": "Hosts as `host:port`, `*.example.org:443` or `host:*`. Default: none, which means no network.",
  "network.upstreams":
    "Names of upstreams in config.yaml that a run may reach as `http://NAME.dock`, without seeing their keys. Default: none.",
  environment: "Which environment variables a run may see.",
  "environment.allow": "Names of variables that are passed on; `LC_*` is a prefix. Default: LANG, LC_*, TZ.",
  python: "Whether Python code may run, and what is checked before it does. The sandbox holds in any case.",
  "python.enabled":
    "False: no Python code runs, in no run, session, task or extension, and commands such as `python3` are denied. Default: true.",
  "python.guard":
    "`open`: refuse what the lists below block; `strict`: also Drydock's own lists; `off`: no check. Default: open.",
  "python.imports": "Lists of modules for the guard.",
  "python.imports.allow": "Modules that may be imported. Empty: all.",
  "python.imports.block": "Modules that may not be imported.",
  "python.calls": "Lists of functions for the guard.",
  "python.calls.block": "Functions that may not be called, such as `eval`.",
  limits: "How much one run may use.",
  ...LIMIT_MEANINGS,
  sessions: "How much a session may use.",
  "sessions.tasks": "Steps that one session may execute. Default: 50.",
  "sessions.idleSeconds": "Seconds without use after which a session is closed. Default: 3600.",
  "sessions.live": "Sessions that may be open at once. Default: 32.",
  extensions: "Which extensions may be used, and how much.",
  "extensions.allow": "Ids of extensions that may be used; `tools.*` is a family. Default: `*`.",
  "extensions.approval": "The lowest risk at which a person must approve a call. Default: high.",
  "extensions.concurrency": "Calls of one extension at once; further ones wait. Default: 2.",
  "extensions.total": "Calls of all extensions at once; further ones wait. Default: 4.",
  "extensions.callsPerHour": "Calls of one extension in an hour. Default: 1000.",
  "extensions.secondsPerHour": "Seconds that calls of one extension may take in an hour. Default: 3600.",
  mcp: "Which MCP servers agents may use.",
  "mcp.allow": "Servers by name, or some of their tools: `books`, `books/read_*`. Default: `*`.",
  checks: "Checks that every result must pass.",
  "checks.required":
    "Command lines or checks that the result of each goal must pass, whatever the plan says. Default: none.",
  project: "What runs find of the project that they work on.",
  "project.environment":
    "`auto`: runs find what the workspace itself has installed (`.venv`, `venv`, `node_modules/.bin`); `off`: they do not. Default: auto.",
  sandbox: "How runs must be isolated.",
  "sandbox.backends": `How a run may be isolated. ${BACKEND_MEANINGS} Default: namespaces.`,
  "sandbox.level": `The weakest enforcement of limits that is accepted, strongest first: ${SANDBOX_LEVELS.join(", ")}. Default: rlimits.`,
  "sandbox.toolchains":
    "Directories of the owner's with programs, such as `~/.cargo`: their `bin` is on the PATH of runs, read-only. Default: none.",
  "sandbox.image":
    "For containers (podman, docker, gvisor): an image that is on this machine, whose files runs see as their system. Default: `host`, the system's own directories, read-only.",
  "sandbox.reuse":
    "Whether runs without a workspace, under the same policy, may have a sandbox one after the other, as long as each leaves it untouched. Default: true.",
} as const;
