import type {
  CommandAction,
  ExtensionCommand,
  ExtensionProblem,
  InstalledExtension,
  InstallPlan,
} from "@drydock/protocol";
import { cleanLine, cleanText } from "../../terminal/clean-text.ts";
import { renderTime } from "../../terminal/render/render-quantities.ts";
import { type Cell, renderTable } from "../../terminal/render/render-table.ts";
import type { Colors, Terminal } from "../../terminal/terminal.ts";

type Painted = Pick<Terminal, "outColors" | "columns">;

export function renderExtensions(all: readonly InstalledExtension[], { outColors, columns }: Painted): string {
  if (all.length === 0) return "There are no extensions. `drydock ext add SOURCE` installs one.\n";
  const head = ["ID", "VERSION", "STATE", "COMMANDS", "DESCRIPTION"];
  const rows = all.map(({ manifest, commands, state, builtIn }) => [
    manifest.id,
    builtIn ? "built-in" : manifest.version,
    { text: state, paint: paintState(state, outColors) },
    commands.map(({ name }) => `/${name}`).join(" "),
    cleanLine(manifest.description),
  ]);
  const table = renderTable([head.map((text) => ({ text, paint: outColors.dim })), ...rows], { columns });
  const broken = all.filter(({ state }) => state === "quarantined");
  return `${table}${broken.map((each) => renderQuarantine(each, outColors)).join("")}`;
}

function paintState(state: InstalledExtension["state"], colors: Colors): (text: string) => string {
  return { enabled: colors.green, disabled: colors.dim, quarantined: colors.red }[state];
}

function renderQuarantine({ manifest: { id }, problem }: InstalledExtension, colors: Colors): string {
  const out = `\`drydock ext update ${id}\` installs it again, \`drydock ext remove ${id}\` removes it.`;
  return `${colors.red("✗")} ${id} is quarantined: ${cleanLine(problem ?? "")}.\n  ${colors.cyan("hint:")} ${out}\n`;
}

/** Everything about one: what it is, what it may do, what can be called, and its document. */
export function renderExtension(
  one: InstalledExtension & { usage: string; directory: string },
  colors: Colors,
): string {
  const { manifest, commands, state } = one;
  const where = one.builtIn ? "comes with Drydock" : cleanLine(one.source);
  const about = renderTable([
    ["id", manifest.id],
    ["version", manifest.version],
    ["state", { text: state, paint: paintState(state, colors) }],
    ["from", where],
    ...(one.builtIn ? [] : [["installed", `${renderTime(one.installedAt)} by ${cleanLine(one.installedBy)}`]]),
    ["files", one.directory],
    ["hash", one.hash],
    ...(manifest.license ? [["license", cleanLine(manifest.license)]] : []),
    ...(manifest.homepage ? [["homepage", cleanLine(manifest.homepage)]] : []),
  ]);
  const parts = [
    `${colors.bold(cleanLine(manifest.name))} — ${cleanLine(manifest.description)}\n`,
    about,
    ...(state === "quarantined" ? [renderQuarantine(one, colors)] : []),
    `${colors.bold("Permissions")}\n${renderPermissions(one, colors)}`,
    `${colors.bold("Commands")}\n${commands.map((command) => renderCommand(command, colors)).join("")}`,
    `${colors.bold("Usage")}\n${indent(cleanText(one.usage.trim()))}`,
  ];
  return parts.join("\n");
}

/** What is about to be installed, and what it asks for. */
export function renderPlan({ extension, installed, added, warnings }: InstallPlan, colors: Colors): string {
  const { manifest, source } = extension;
  const title = `${colors.bold(`${manifest.id} ${manifest.version}`)} — ${cleanLine(manifest.description)}\n`;
  const from = `from ${cleanLine(source)}${installed ? `, in place of version ${installed.manifest.version}` : ""}\n`;
  const news = installed
    ? `\nIt asks for more than before:\n${added.map((ask) => `  + ${cleanLine(ask)}\n`).join("")}`
    : "";
  const asks = `\n${installed ? "All that it asks for:" : "It asks for:"}\n${renderPermissions(extension, colors)}`;
  return `${title}${from}${news}${asks}${renderProblems(warnings, colors)}\n`;
}

function renderPermissions(
  { manifest, commands }: Pick<InstalledExtension, "manifest" | "commands">,
  colors: Colors,
): string {
  const { permissions, install } = manifest;
  const { paths, limits } = permissions;
  const hosts = permissions.hosts.map((host) => (host === "policy" ? "those that your policy allows" : host));
  const actions = commands.flatMap(({ name, actions: all }) => all.map((action) => ({ name, action })));
  const rows: (readonly [string, readonly (string | Cell)[]])[] = [
    ["tools", permissions.tools],
    ["hosts", hosts.length > 0 ? hosts : ["none: no network"]],
    ["variables", permissions.environment],
    ["secrets", permissions.secrets],
    ["files", [...paths.read.map((glob) => `read ${glob}`), ...paths.write.map((glob) => `change ${glob}`)]],
    ["limits", Object.entries(limits).map(([name, value]) => `${name} ${value}`)],
    ["downloads", install.flatMap(({ url, sha256, to }) => (url ? [`${url} → ${to} (sha256 ${sha256})`] : []))],
    ["commands", actions.map(({ name, action }) => ({ ...describeRisk(name, action, colors) }))],
  ];
  return renderTable(
    rows
      .filter(([, items]) => items.length > 0)
      .flatMap(([title, items]) =>
        items.map((item, index) => [
          { text: index === 0 ? `  ${title}` : "  ", paint: colors.dim },
          typeof item === "string" ? cleanLine(item) : item,
        ]),
      ),
  );
}

function describeRisk(command: string, { name, risk, runner }: CommandAction, colors: Colors): Cell {
  const text = `/${command} ${name} (${runner}, ${risk} risk)`;
  return risk === "low" ? { text } : { text, paint: colors.yellow };
}

function renderCommand({ name, aliases, description, actions }: ExtensionCommand, colors: Colors): string {
  const also = aliases.length > 0 ? ` (also ${aliases.map((alias) => `/${alias}`).join(", ")})` : "";
  const rows = actions.map((action) => [
    `    ${action.name} ${describeParameters(action)}`.trimEnd(),
    { text: cleanLine(action.description), paint: colors.dim },
  ]);
  return `  /${name}${also} — ${cleanLine(description)}\n${renderTable(rows)}`;
}

function describeParameters({ arguments: args, flags }: CommandAction): string {
  const places = args.map(({ name, required, repeat }) => {
    const word = `${name}${repeat ? "…" : ""}`;
    return required ? `<${word}>` : `[${word}]`;
  });
  return [...places, ...flags.map(({ name, type }) => `[--${name}${type === "boolean" ? "" : ` ${type}`}]`)].join(" ");
}

/** One line each, as compilers write them, so that an editor finds the place. */
export function renderProblems(problems: readonly ExtensionProblem[], colors: Colors): string {
  return problems
    .map(({ file, line, column, field, message, severity }) => {
      const place = line === null ? file : `${file}:${line}${column === null ? "" : `:${column}`}`;
      const mark = severity === "error" ? colors.red("error") : colors.yellow("warning");
      return `${cleanLine(place)}: ${mark}: ${field === "" ? "" : `${cleanLine(field)}: `}${cleanLine(message)}\n`;
    })
    .join("");
}

function indent(text: string): string {
  return `${text
    .split("\n")
    .map((line) => (line === "" ? "" : `  ${line}`))
    .join("\n")}\n`;
}
