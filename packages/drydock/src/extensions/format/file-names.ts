/** What every extension holds. */
export const MANIFEST_FILE = "extension.yaml";
export const COMMANDS_FILE = "commands.yaml";
export const USAGE_FILE = "docs/USAGE.md";
