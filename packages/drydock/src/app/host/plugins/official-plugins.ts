import { join } from "node:path";

/** Where the plugins lie that come with Drydock: beside the bundle, or at the top of the repository. */
const DIRECTORY = import.meta.url.endsWith(".ts")
  ? join(import.meta.dirname, "..", "..", "..", "..", "..", "..", "runners")
  : join(import.meta.dirname, "runners");

/** Where the build puts them. One that bundles a package is used from there by the sources as well, like the SDK for runners. */
const BUILT = import.meta.url.endsWith(".ts")
  ? join(import.meta.dirname, "..", "..", "..", "..", "dist", "runners")
  : DIRECTORY;
const BUNDLING = ["acp-agent"];

const AUTHOR = "drydock";

/** Other platforms, each a runner of one plugin: they share a process, and what they have in common. */
const SERVICES = [
  ...["dify", "n8n", "langflow", "coze", "dashscope", "tbox", "deerflow", "weknora", "litellm-agent-platform"],
];

/** The plugins that come with Drydock, and their runners. Each runner has a short name of its own. */
const RUNNERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "acp-agent": { "acp-agent": "default" },
  "local-agent": { "local-agent": "default" },
  librarian: { librarian: "default" },
  services: Object.fromEntries(SERVICES.map((name) => [name, name])),
};

/** Their ids. Nothing else is used under one of them, unless its author develops it with `drydock plugin dev`. */
export const RESERVED_IDS: ReadonlySet<string> = new Set(Object.keys(RUNNERS).map((plugin) => `${AUTHOR}/${plugin}`));

/** Their directories. They are found without any setting. */
export const OFFICIAL_PLUGINS: readonly string[] = Object.keys(RUNNERS).map((plugin) =>
  join(BUNDLING.includes(plugin) ? BUILT : DIRECTORY, plugin),
);

/** By short name, such as `local-agent`: the id of the runner. */
export const OFFICIAL_RUNNERS: ReadonlyMap<string, string> = new Map(
  Object.entries(RUNNERS).flatMap(([plugin, names]) =>
    Object.entries(names).map(([short, runner]) => [short, `plugin:${AUTHOR}/${plugin}/${runner}`] as const),
  ),
);
