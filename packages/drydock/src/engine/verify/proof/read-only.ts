/** They read the work, and run none of it. */
const READERS =
  /^(py_compile|compileall|tsc|eslint|oxlint|stylelint|biome|prettier|ruff|flake8|pylint|mypy|pyright|black|isort|shellcheck|markdownlint|yamllint)$/;
const STARTERS = /^(npx|bunx|pnpx|pnpm|yarn|npm|exec|dlx|uv|poetry|pdm|hatch|run|python[\d.]*|-m|--|-y|--yes|cd\s.*)$/;

/** Whether every command of the line only reads the work, as compilers and linters do. */
export function isReadOnly(line: string): boolean {
  const commands = line.split(/&&|\|\||;|\n/).map((part) => part.trim().split(/\s+/));
  return commands.every((words) => {
    if (words[0] === "cd" || words[0] === "") return true;
    const rest = words.filter((word) => !/^\w+=/.test(word));
    const program = rest.find((word) => !STARTERS.test(word)) ?? "";
    return READERS.test(program.slice(program.lastIndexOf("/") + 1)) || /^node\s+--check\b/.test(rest.join(" "));
  });
}

/** Whether a text starts a linter, a formatter or a compiler somewhere: such a tool has a say over the text of tests as well. */
export function startsReader(text: string): boolean {
  return text.split(/[^\w.-]+/).some((word) => READERS.test(word));
}
