/** When a file that matches counts: always, only where it is new, or only where the part that runs was changed. */
export type AutorunTest = "always" | "new" | "package-scripts" | "git-drivers";

export interface AutorunRule {
  /** In any directory. `*` stands for a part of a name, `/**` for everything below. Lower case: names are folded. */
  patterns: readonly string[];
  /** Who runs it, and when: "direnv runs it when you enter the directory". */
  reason: string;
  test?: AutorunTest;
}

/**
 * Files that programs execute without a command from the user. A person must approve their delivery. Files that a
 * person runs on purpose (`Makefile`, tests, scripts) are not here.
 */
export const AUTORUN_RULES: readonly AutorunRule[] = [
  {
    patterns: [".githooks/**", ".husky/**", ".huskyrc*"],
    reason: "git runs it as a hook when you commit, merge or push",
  },
  {
    patterns: [".pre-commit-config.yaml", "lefthook*.yml", "lefthook*.yaml", "lefthook*.toml", "lefthook*.json"],
    reason: "the hook manager runs its commands when you commit or push",
  },
  {
    patterns: [".lefthook*.yml", ".lefthook*.yaml", ".lefthook*.toml", ".lefthook*.json", ".lintstagedrc*"],
    reason: "the hook manager runs its commands when you commit or push",
  },
  {
    patterns: [".gitattributes"],
    reason: "git runs the filter, diff or merge programs that it names for each file",
    test: "git-drivers",
  },
  { patterns: [".gitmodules"], reason: "git fetches and checks out the repositories that it names" },
  { patterns: [".gitconfig"], reason: "git runs the programs that it names, where your configuration includes it" },
  { patterns: [".envrc"], reason: "direnv runs it when you enter the directory" },
  {
    patterns: [
      ...["mise.toml", "mise.*.toml", ".mise.toml", ".mise.*.toml", "mise/config.toml", ".mise/**"],
      ...[".config/mise.toml", ".config/mise/**"],
    ],
    reason: "mise runs its hooks and templates when you enter the directory",
  },
  { patterns: [".rvmrc"], reason: "rvm runs it when you enter the directory" },
  {
    patterns: [".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".profile", ".zshrc", ".zshenv", ".zprofile"],
    reason: "the shell runs it when it starts, where this is a home directory",
  },
  {
    patterns: [".ssh/**", ".config/autostart/**", ".config/systemd/**", ".config/fish/**"],
    reason: "the session or the shell runs it when you log in, where this is a home directory",
  },
  {
    patterns: [".vscode/tasks.json", ".vscode/settings.json", ".vscode/mcp.json", "*.code-workspace"],
    reason: "VS Code starts the tasks and programs that it names when you open the folder",
  },
  {
    patterns: [".idea/**", ".run/**"],
    reason: "JetBrains editors start the tasks and run configurations in it when you open the project",
  },
  { patterns: [".zed/**"], reason: "Zed starts the programs that it names when you open the folder" },
  {
    patterns: [".exrc", ".nvimrc", ".nvim.lua", ".vimrc", ".dir-locals.el"],
    reason: "vim or Emacs runs it when you open a file in the directory",
  },
  {
    patterns: [".devcontainer/**", ".devcontainer.json", ".gitpod.yml"],
    reason: "the editor builds and starts a container with its commands when you open the folder",
  },
  {
    patterns: ["package.json"],
    reason: "npm runs its install scripts by itself",
    test: "package-scripts",
  },
  { patterns: ["package.json5", "package.yaml"], reason: "pnpm runs its install scripts by itself" },
  { patterns: ["binding.gyp"], reason: "npm builds it when you install", test: "new" },
  {
    patterns: [".npmrc", ".yarnrc*", ".pnpmfile.cjs", ".pnpmfile.mjs", ".yarn/plugins/**", ".yarn/releases/**"],
    reason: "the package manager loads it with each command, and with it programs and package sources that it names",
  },
  { patterns: [".pnp.cjs", ".pnp.loader.mjs"], reason: "yarn loads it into each program that it starts" },
  { patterns: ["bunfig.toml"], reason: "bun loads the modules that it names before each program" },
  { patterns: [".cargo/config", ".cargo/config.toml"], reason: "cargo and editors run the programs that it names" },
  {
    patterns: ["sitecustomize.py", "usercustomize.py", "*.pth"],
    reason: "Python runs it whenever it starts with this directory on its path",
  },
  { patterns: ["setup.py"], reason: "pip runs it when it installs the project", test: "new" },
  {
    patterns: [
      ...[".github/workflows/**", ".github/actions/**", ".forgejo/workflows/**", ".gitea/workflows/**"],
      ...[".gitlab-ci.yml", ".gitlab-ci.yaml", ".circleci/**", ".buildkite/**", ".travis.yml", ".teamcity/**"],
      ...["jenkinsfile", "jenkinsfile.*", "azure-pipelines.yml", "azure-pipelines.yaml", ".azure-pipelines/**"],
      ...["bitbucket-pipelines.yml", ".drone.yml", ".woodpecker.yml", ".woodpecker/**", ".cirrus.yml"],
      ...["appveyor.yml", ".appveyor.yml", "cloudbuild.yaml", "buildspec.yml"],
    ],
    reason: "the CI service runs it, with its secrets, once it is pushed",
  },
  {
    patterns: [
      ...[".claude/**", ".cursor/**", ".gemini/**", ".codex/**", ".opencode/**", ".mcp.json"],
      ...["opencode.json", "opencode.jsonc", ".aider.conf.yml"],
    ],
    reason: "the coding agent runs the hooks, commands and servers that it names when it starts here",
  },
];
