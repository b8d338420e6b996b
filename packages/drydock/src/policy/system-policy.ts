import { HOST_IMAGE, mapLimits, type PolicyDocument } from "@drydock/protocol";

/**
 * Names of files that hold nothing but credentials, in the places where programs look for them. Names that projects also
 * use for other things (`.docker/`, `.aws/`, `credentials.json`, `*.tfvars`) are not on it: who has secrets there adds them.
 */
const HIDDEN_FILES = [
  "**/.env",
  "**/.env.*",
  "**/?*.env",
  "**/.envrc",
  "**/*.pem",
  "**/id_{rsa,dsa,ecdsa,ed25519,xmss}*",
  "**/*.{key,p12,pfx,jks,keystore,ppk,kdbx}",
  "**/.{netrc,npmrc,pypirc,pgpass,git-credentials,vault-token}",
  "**/.{ssh,gnupg}",
  "**/.aws/credentials",
  "**/.cargo/credentials{,.toml}",
  "**/.docker/config.json",
  "**/.kube/config",
  "**/{service-account,service_account,client_secret}*.json",
  "**/*.tfstate{,.*}",
];

/**
 * The default policy. A plain value is default and ceiling at once.
 *
 * The ceilings of the limits lie above their defaults, so that an ordinary caller can ask for ten minutes or a
 * gigabyte without first writing a policy file; beyond them only the home policy decides. The guard is a courtesy to
 * the model and no wall, so a caller may switch it off; the network is a wall, so nobody may ask for any of it.
 *
 * Every command is allowed: the sandbox bounds what a command can do, and any list that is of use holds an interpreter,
 * which starts whatever it likes. A list is for an owner who wants to be told about a command before it runs.
 */
export const SYSTEM_POLICY: PolicyDocument = {
  version: 1,
  files: {
    access: true,
    write: ["**"],
    protect: [".git/**", ".drydock/**"],
    hide: HIDDEN_FILES,
  },
  commands: { allow: ["*"], deny: [] },
  network: { allow: [], upstreams: [] },
  environment: { allow: ["LANG", "LC_*", "TZ"] },
  python: {
    enabled: true,
    guard: { default: "open", max: "off" },
    imports: { allow: [], block: [] },
    calls: { block: [] },
  },
  limits: mapLimits((_key, { default: usual, max }) => ({ default: usual, max })),
  sessions: {
    tasks: { default: 50, max: 500 },
    idleSeconds: { default: 3600, max: 36_000 },
    live: { default: 32, max: 320 },
  },
  extensions: {
    allow: ["*"],
    approval: { default: "high", max: "high" },
    concurrency: { default: 2, max: 8 },
    total: { default: 4, max: 32 },
    callsPerHour: { default: 1000, max: 10_000 },
    secondsPerHour: { default: 3600, max: 36_000 },
  },
  mcp: { allow: ["*"] },
  checks: { required: [] },
  project: { environment: "auto" },
  sandbox: { backends: ["namespaces"], level: "rlimits", toolchains: [], reuse: true, image: HOST_IMAGE },
};
