import { posix } from "node:path";
import { type Import, readSource, type SourceFacts } from "./read-source.ts";

export interface SourceFile {
  /** Relative to the repository. */
  path: string;
  text: string;
}

const PRODUCT = "packages/drydock/src/";
/** Starts the sandbox for a single run from the command line, without loading the rest of the room. */
const SIDE_DOOR = "sandbox/start-fork-server-early.ts";

/** Rooms of packages/drydock/src, lowest level first. A room may import rooms of lower levels, through their doors. */
const LEVELS: readonly (readonly string[])[] = [
  ["base"],
  ["policy"],
  ["sandbox", "ledger", "models"],
  ["engine", "tasks", "extensions", "host", "upstreams"],
  ["queue"],
  ["app"],
  ["surfaces"],
];

/** A door per folder: whoever needs one thing of the base does not load the rest, such as the YAML library. */
const BASE_DOOR = /^base\/[a-z-]+\/index\.ts$/;

/** Only the sandbox starts processes. Whoever else must is named here, with the reason. */
const MAY_START_PROCESSES: readonly RegExp[] = [
  /^packages\/drydock\/src\/sandbox\//,
  // The session keeper is Drydock itself, running no user's code, and has to outlive the command that starts it.
  /^packages\/drydock\/src\/app\/keeper\/start-keeper\.ts$/,
  // The user's own editor on the user's own terminal: the person at work, not the work.
  /^packages\/drydock\/src\/surfaces\/cli\/goal\/start-editor\.ts$/,
  // The owner's own command that takes an anchor away, typed by the owner: again the person, not the work.
  /^packages\/drydock\/src\/surfaces\/cli\/anchor\/run-owner-command\.ts$/,
  // The owner's own browser on the owner's own desktop: once more the person, not the work.
  /^packages\/drydock\/src\/surfaces\/cli\/open-browser\.ts$/,
  // A commit is written into the user's own .git, which nothing in the sandbox may change; git runs no user's code there.
  /^packages\/drydock\/src\/engine\/deliver\/git\/run-git\.ts$/,
];
/** A file of agents is the owner's own program, named by the owner: the one thing that the host loads as it is. */
const MAY_LOAD_ANYTHING = /^packages\/drydock\/src\/app\/agents\/load-agents\.ts$/;
/** The steps of the one execution path, and the only files that may import them. */
const STEPS: readonly { step: string; takenBy: readonly string[] }[] = [
  { step: "sandbox/gate.ts", takenBy: ["sandbox/sandbox.ts"] },
  { step: "sandbox/to-run-outcome.ts", takenBy: ["sandbox/sandbox.ts", "sandbox/session/live-session.ts"] },
  {
    step: "sandbox/backends/registry.ts",
    takenBy: ["sandbox/sandbox.ts", "sandbox/backends/choose-backends.ts", "sandbox/backends/describe-report.ts"],
  },
];
/** A folder here is a backend. Its descriptor is all that the registry takes of it, and nobody else takes anything. */
const BACKENDS = `${PRODUCT}sandbox/backends/`;
/** The one loop that asks a model, carries out its tool calls, and repeats. Others give it functions. */
const AGENT_LOOP = `${PRODUCT}models/agent-loop.ts`;
const READS_ENVIRONMENT = /^packages\/(drydock\/src\/app\/config(\.ts$|-|\/)|runner-sdk\/src\/serve-plugin\.ts$)/;
const STARTS_PROCESSES = /^(node:)?(child_process|cluster)$/;
const PROTOCOL = "packages/protocol/src/";
const CLIENT = "packages/client/src/";
const SDK = "packages/runner-sdk/src/";
const WEB = "packages/web/src/";
/** What a page is made with. It comes along to every browser, so that each of these is a decision. */
const WEB_LIBRARIES =
  /^(react|react-dom(\/client)?|@tanstack\/react-(query|router|virtual)|@xterm\/(xterm(\/css\/xterm\.css)?|addon-fit))$/;

/** Every breach of the architecture's rules, as `file:line: what is wrong`. */
export function findViolations(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) => {
    const facts = readSource(path, text);
    const problems = [
      ...facts.imports.flatMap((item) => checkImport(path, item).map((problem) => `${path}:${item.line}: ${problem}`)),
      ...checkSource(path, facts),
    ];
    return [...new Set(problems)];
  });
}

function checkImport(from: string, { specifier }: Import): string[] {
  const relative = specifier.startsWith(".");
  const problems: string[] = [];
  if (from.startsWith(PROTOCOL) && !relative && specifier !== "zod" && !isTest(from)) {
    problems.push(`protocol imports zod only, not "${specifier}"`);
  }
  if (from.startsWith(CLIENT) && !relative && !/^@drydock\/protocol(\/|$)/.test(specifier)) {
    problems.push(`the client imports protocol only, not "${specifier}"`);
  }
  // It runs inside the sandbox, beside somebody's plugin: nothing of Drydock but the shapes may come along.
  if (
    from.startsWith(SDK) &&
    !relative &&
    !isTest(from) &&
    !/^(@drydock\/protocol(\/.*)?|json-rpc-2\.0)$/.test(specifier)
  ) {
    problems.push(`the SDK for runners imports protocol and json-rpc-2.0 only, not "${specifier}"`);
  }
  if (
    from.startsWith(WEB) &&
    !relative &&
    !isTest(from) &&
    !/^@drydock\/(protocol|client)(\/|$)/.test(specifier) &&
    !WEB_LIBRARIES.test(specifier)
  ) {
    problems.push(`the console imports protocol, client and a few libraries of pages only, not "${specifier}"`);
  }
  if (STARTS_PROCESSES.test(specifier) && !isTest(from) && !MAY_START_PROCESSES.some((path) => path.test(from))) {
    problems.push(`only the sandbox starts processes ("${specifier}")`);
  }
  if (relative && specifier.includes("/testing/") && !isTest(from)) {
    problems.push(`only tests import what serves tests ("${specifier}")`);
  }
  if (specifier === "drydock") problems.push("the product does not import itself by its name");
  if (relative) {
    const to = posix.join(posix.dirname(from), specifier);
    problems.push(...checkRooms(from, to), ...checkSteps(from, to), ...checkBackends(from, to));
  }
  return problems;
}

function checkSteps(from: string, to: string): string[] {
  const found = STEPS.find(({ step }) => to === `${PRODUCT}${step}`);
  if (!found || isTest(from) || found.takenBy.some((file) => from === `${PRODUCT}${file}`)) return [];
  return [
    `${found.step} is a step of one sequence (gate, execute, judge): only ${found.takenBy.join(" and ")} takes it`,
  ];
}

function checkBackends(from: string, to: string): string[] {
  const [folder = "", ...rest] = to.startsWith(BACKENDS) ? to.slice(BACKENDS.length).split("/") : [];
  if (rest.length === 0 || isTest(from) || from.startsWith(`${BACKENDS}${folder}/`)) return [];
  if (from === `${BACKENDS}registry.ts` && rest.join("/") === "descriptor.ts") return [];
  return [
    `${to} belongs to a backend, which is a step of one sequence (gate, execute, judge): only the registry takes it`,
  ];
}

function checkRooms(from: string, to: string): string[] {
  const home = [PRODUCT, CLIENT, SDK, WEB].find((each) => from.startsWith(each)) ?? PROTOCOL;
  const isManifest = to === posix.join(home, "..", "package.json");
  if (isManifest) return [];
  // A test of the SDK may try it with a runner that comes with Drydock.
  if (home === SDK && isTest(from) && to.startsWith("runners/")) return [];
  if (!to.startsWith(home)) return [`${to} belongs to another package: import it by the package's name`];
  const [here, there] = [roomOf(from), roomOf(to)];
  if (home === PRODUCT && here === "app" && there === "app") return checkUseCases(from, to);
  if (home === PRODUCT && here === "surfaces" && there === "surfaces") return checkSurfaces(from, to);
  if (home === PRODUCT && here === "base" && there === "base") return checkBase(from, to);
  if (home !== PRODUCT || here === there) return [];
  if (there === undefined) return [`${to} is the library's entry, which no room imports`];
  const problems: string[] = [];
  const isDoor =
    there === "base" ? isBaseDoor(to) : to === `${PRODUCT}${there}/index.ts` || to === `${PRODUCT}${SIDE_DOOR}`;
  // What serves one room's tests may serve another's, in the same direction.
  const isShared = isTest(from) && to.startsWith(`${PRODUCT}${there}/testing/`);
  const doors = there === "base" ? "a door per folder, base/FOLDER/index.ts" : `one door, ${there}/index.ts`;
  if (!isDoor && !isShared) problems.push(`${there} has ${doors}, not ${to}`);
  if (here === undefined) return problems;
  const [hereLevel, thereLevel] = [levelOf(here), levelOf(there)];
  if (hereLevel === thereLevel) problems.push(`${here} and ${there} are on one level: take a port that app plugs in`);
  if (hereLevel < thereLevel) problems.push(`${here} lies below ${there} and can't import it`);
  return problems;
}

/** A folder of the base imports another one's door. */
function checkBase(from: string, to: string): string[] {
  const [here, there] = [from, to].map((path) => posix.dirname(path.slice(PRODUCT.length)).split("/")[1]);
  if (here === there || isBaseDoor(to) || isTest(from)) return [];
  return [`base/${here} imports ${to}: of base/${there} it may import index.ts only`];
}

function isBaseDoor(path: string): boolean {
  return BASE_DOOR.test(path.slice(PRODUCT.length));
}

/** A use case of app imports the api.ts or index.ts of another one, or what all of them share in runs/. */
function checkUseCases(from: string, to: string): string[] {
  const [here, there] = [useCaseOf(from), useCaseOf(to)];
  if (here === undefined || there === undefined || here === there || isTest(from)) return [];
  const doors = ["api", "index"].map((name) => `${PRODUCT}app/${there}/${name}.ts`);
  if (there === "runs" || doors.includes(to)) return [];
  return [`app/${here} imports ${to}: of app/${there} it may import api.ts and index.ts only`];
}

/** The command line may start every other surface; what it shares with them lies in surfaces/terminal. */
function checkSurfaces(from: string, to: string): string[] {
  const [here, there] = [from, to].map((path) => path.slice(`${PRODUCT}surfaces/`.length).split("/")[0]);
  if (here === there || there !== "cli" || isTest(from)) return [];
  return [`surfaces/${here} imports ${to}: what surfaces share with the command line belongs to surfaces/terminal`];
}

/** Undefined for what lies in app itself, where everything is put together. */
function useCaseOf(path: string): string | undefined {
  const [folder, ...rest] = path.slice(`${PRODUCT}app/`.length).split("/");
  return rest.length > 0 ? folder : undefined;
}

function checkSource(path: string, facts: SourceFacts): string[] {
  const problems: string[] = [];
  const room = roomOf(path);
  if (path.startsWith(PRODUCT) && room !== undefined && levelOf(room) < 0) {
    problems.push(`${path}:1: ${room} is no room of the architecture`);
  }
  if (isTest(path)) return problems;
  if (!READS_ENVIRONMENT.test(path)) {
    problems.push(...facts.environmentLines.map((line) => `${path}:${line}: only app/config reads the environment`));
  }
  if (path.startsWith(PRODUCT) && room !== "policy") {
    problems.push(
      ...facts.policyChangeLines.map((line) => `${path}:${line}: only policy/ makes one policy of another`),
    );
  }
  if (path !== AGENT_LOOP) {
    problems.push(...facts.agentLoopLines.map((line) => `${path}:${line}: only models/agent-loop.ts is an agent loop`));
  }
  if (MAY_LOAD_ANYTHING.test(path)) return problems;
  return [
    ...problems,
    ...facts.hiddenLoadLines.map((line) => `${path}:${line}: what this loads can't be told: use import`),
  ];
}

/** Undefined for what lies in src itself: the library's entry, which stands above all rooms. */
function roomOf(path: string): string | undefined {
  const [room, ...rest] = path.slice(PRODUCT.length).split("/");
  return path.startsWith(PRODUCT) && rest.length > 0 ? room : undefined;
}

function levelOf(room: string): number {
  return LEVELS.findIndex((rooms) => rooms.includes(room));
}

/** What stands in a room's `testing` folder serves its tests, and nothing else may import it. */
function isTest(path: string): boolean {
  return path.endsWith(".test.ts") || path.includes("/testing/");
}
