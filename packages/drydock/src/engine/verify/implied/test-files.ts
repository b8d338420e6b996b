const TEST_DIRECTORIES = new Set(
  "tests test __tests__ spec fixtures __fixtures__ __snapshots__ __mocks__ testdata".split(" "),
);
const TEST_NAMES = [
  // Python's own test runner takes whatever begins so.
  /^test(?!ing\b).*\.py$/,
  /_test\.(py|go|rb|exs?|cc|cpp|dart)$/,
  // Node's: test.js, test-a.js, a-test.js, a_test.js.
  /^(.*[-_.])?(test|spec)\.[cm]?[jt]sx?$/,
  /^test-.*\.[cm]?[jt]sx?$/,
  /\.(test|spec)\.[^.]+$/,
  /_spec\.rb$/,
  /^test[-_].*\.(c|cc|cpp|cxx|h|hpp|m|rs|rb|pl|lua|php|d|zig)$/,
  /[-_]tests?\.(c|cxx|h|hpp|m|rs|pl|lua|php|d|zig)$/,
  /\.(t|bats)$/,
  /Tests?\.(java|kt|cs|php|swift)$/,
  /^conftest\.py$/,
];

/** What decides which tests run, how, and with which tools. */
const CONFIGURATION_NAMES = new Set(
  [
    "pytest.ini .pytest.ini pytest.toml .pytest.toml tox.ini setup.cfg pyproject.toml conftest.py noxfile.py .coveragerc",
    "package.json .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs pnpm-workspace.yaml .nycrc .babelrc .swcrc deno.json",
    "deno.jsonc bunfig.toml .rspec .proverc Rakefile go.mod go.work Cargo.toml phpunit.xml phpunit.xml.dist pom.xml build.gradle",
    "build.gradle.kts CMakeLists.txt Makefile makefile GNUmakefile justfile Justfile Taskfile.yml Taskfile.yaml",
  ].flatMap((line) => line.split(" ")),
);
const CONFIGURATION_PATTERNS = [
  /^(jest|vitest|vite|mocha|babel|karma|playwright|cypress|ava|webpack|rollup|swc)(\.[\w-]+)*\.(conf|config|setup)\.[cm]?[jt]s(on)?$/,
  /^(jest|vitest|vite|mocha|babel|ava|playwright|cypress)\.(config|setup|workspace)\.(json|ya?ml)$/,
  /^\.(mocharc|nycrc|babelrc|swcrc)(\.[\w]+)?$/,
  /^tsconfig(\.[\w-]+)?\.json$/,
];
/** What decides what a linter or a formatter complains of. It matters to checks that run one. */
const LINTER_CONFIGURATION =
  /^(\.?(eslint|prettier|stylelint|oxlint|biome|ruff|flake8|pylint|mypy|pyright|shellcheck|markdownlint|yamllint|rubocop|golangci|clippy|rustfmt|jshint|tslint|xo)(rc|config|ignore)?(\.config)?(\.(jsonc?|ya?ml|toml|ini|cfg|[cm]?[jt]s))?|postcss\.config\.[cm]?[jt]s)$/;
/** Where the tools of checks are installed: a change here replaces them. */
const TOOL_DIRECTORIES = /^(node_modules|\.venv|venv|site-packages|__pypackages__|.*\.(dist-info|egg-info|egg))$/;

const STARTUP = /(^|\/)(conftest\.py|sitecustomize\.py|usercustomize\.py|[^/]*\.pth)$/;

/** What Python or its test runner executes before any test. */
export function isStartupFile(path: string): boolean {
  return STARTUP.test(path);
}

/** Whether tools that checks run are installed below a directory of this name. */
export function isToolDirectory(name: string): boolean {
  return TOOL_DIRECTORIES.test(name);
}

export function isTestDirectory(path: string): boolean {
  return path.split("/").some((part) => TEST_DIRECTORIES.has(part));
}

/** Names that mean tests, or what configures them, wherever they stand. */
export function listTestNames(): string[] {
  return [...TEST_DIRECTORIES, ...CONFIGURATION_NAMES];
}

export function isTestFile(path: string): boolean {
  const parts = path.split("/");
  const name = parts.pop() ?? "";
  return TEST_NAMES.some((pattern) => pattern.test(name)) || parts.some((part) => TEST_DIRECTORIES.has(part));
}

export function isTestConfiguration(path: string): boolean {
  const parts = path.split("/");
  const name = parts.pop() ?? "";
  return (
    CONFIGURATION_NAMES.has(name) ||
    CONFIGURATION_PATTERNS.some((pattern) => pattern.test(name)) ||
    parts.some(isToolDirectory)
  );
}

export function isLinterConfiguration(path: string): boolean {
  return LINTER_CONFIGURATION.test(path.slice(path.lastIndexOf("/") + 1));
}
