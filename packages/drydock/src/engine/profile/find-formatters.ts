import type { WorkspaceScan } from "./scan-workspace.ts";

interface Formatter {
  name: string;
  files: readonly string[];
  /** Where the file is shared with other tools: what shows that it is meant. */
  section?: RegExp;
  /** Its first group is the number of columns. */
  width?: RegExp;
}

const FORMATTERS: readonly Formatter[] = [
  { name: "EditorConfig", files: [".editorconfig"], width: /^max_line_length\s*=\s*(\d{2,3})\s*$/m },
  { name: "Biome", files: ["biome.json", "biome.jsonc"], width: /"lineWidth"\s*:\s*(\d{2,3})/ },
  {
    name: "Prettier",
    files: [
      ".prettierrc",
      ".prettierrc.json",
      ".prettierrc.yaml",
      ".prettierrc.yml",
      "prettier.config.js",
      "prettier.config.mjs",
    ],
    width: /["']?printWidth["']?\s*:\s*(\d{2,3})/,
  },
  {
    name: "ESLint",
    files: ["eslint.config.js", "eslint.config.mjs", ".eslintrc.json", ".eslintrc.cjs", ".eslintrc.js"],
  },
  { name: "Black", files: ["pyproject.toml"], section: /^\[tool\.black\]/m, width: /^line-length\s*=\s*(\d{2,3})/m },
  { name: "Ruff", files: ["pyproject.toml"], section: /^\[tool\.ruff\b/m, width: /^line-length\s*=\s*(\d{2,3})/m },
  { name: "Ruff", files: ["ruff.toml", ".ruff.toml"], width: /^line-length\s*=\s*(\d{2,3})/m },
  { name: "isort", files: ["pyproject.toml"], section: /^\[tool\.isort\]/m },
  { name: "mypy", files: ["pyproject.toml"], section: /^\[tool\.mypy\]/m },
  { name: "Flake8", files: [".flake8"], width: /^max-line-length\s*=\s*(\d{2,3})/m },
  { name: "rustfmt", files: ["rustfmt.toml", ".rustfmt.toml"], width: /^max_width\s*=\s*(\d{2,3})/m },
  { name: "clang-format", files: [".clang-format"], width: /^ColumnLimit:\s*(\d{2,3})/m },
  { name: "TypeScript", files: ["tsconfig.json"] },
];

/** Tools at the top of the workspace that say how code shall look, as far as their own files say it. */
export async function findFormatters(scan: WorkspaceScan): Promise<string[]> {
  const found = new Set<string>();
  for (const { name, files, section, width } of FORMATTERS) {
    const file = files.find((candidate) => scan.paths.includes(candidate));
    const text = file === undefined ? null : await scan.read(file);
    if (file === undefined || text === null || (section && !section.test(text))) continue;
    const columns = width?.exec(text)?.[1];
    found.add(`${name} is configured in ${file}${columns === undefined ? "" : ` (${columns} columns)`}`);
  }
  return [...found];
}
