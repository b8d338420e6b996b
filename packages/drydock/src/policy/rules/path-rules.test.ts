import fc from "fast-check";
import picomatch from "picomatch";
import { describe, expect, it } from "vitest";
import { resolvePolicy } from "../resolve-policy.ts";
import { coversPath, createPathRules, describePathPatternProblem } from "./path-rules.ts";

const system = createPathRules(resolvePolicy({}).effective);

function rulesFor(files: { write?: string[]; protect?: string[]; hide?: string[] }) {
  return createPathRules({ files: { access: true, write: ["**"], protect: [], hide: [], ...files } });
}

describe("the system's path rules", () => {
  it.each([".env", "a/.env", "a/b/.env.local", "key.pem", ".ssh/id_rsa", "id_rsa/below", "a/.env/x", "new\nline/.env"])(
    "hide %j",
    (path) => {
      expect(system.hidden(path)).toBe(true);
      expect(system.writable(path)).toBe(false);
    },
  );
  it.each([
    ...[
      "prod.env",
      ".ENV",
      "a/.Env.Local",
      "a/PROD.ENV",
      ".npmrc",
      "a/.netrc",
      ".pypirc",
      ".git-credentials",
      ".pgpass",
    ],
    ...["server.key", "a/Server.KEY", "x.p12", "x.pfx", "x.jks", "debug.keystore", "x.ppk", "x.kdbx", ".vault-token"],
    ...[".ssh/config", "home/.gnupg/trustdb.gpg", ".aws/credentials", ".docker/config.json", "home/.kube/config"],
    ...["service-account.json", "a/service_account_prod.json", "client_secret_1.json", "terraform.tfstate"],
    ...[".terraform/terraform.tfstate", "terraform.tfstate.backup", ".env.production.local", "a/.envrc"],
    ...["id_rsa", "a/id_ed25519", "id_ed25519_sk", "id_ecdsa-cert.pub", "ID_DSA", "id_rsa_work", ".cargo/credentials"],
    ...[
      "home/.cargo/credentials.toml",
      ".env~",
      ".env.bak",
      ".npmrc.orig",
      "server.pem~",
      "a/.netrc.bak~",
      "x.key.old",
    ],
    ...[".envrc.bak", "id_rsa.BAK", ".server.pem.swp", ".ssh.bak/config", "prod.env.bak2"],
  ])("hide credentials: %j", (path) => {
    expect(system.hidden(path)).toBe(true);
  });
  it.each([
    ...[".env.example", "a/.env.sample", ".env.local.template", ".ENV.EXAMPLE", "example.env", ".env.dist"],
    ...["id_utils.py", "id_map.json", "src/id_generator/index.ts", "a.bak", "notes~", "env.bak", ".cargo/config.toml"],
    ...["keys.py", "a/key", "keystore.ts", "monkey", ".npmignore", ".aws/task-definition.json", ".docker/Dockerfile"],
    ...[
      "env.py",
      "environment.env.ts",
      "credentials.ts",
      "src/service-account.ts",
      "main.tf",
      "prod.tfvars",
      ".kube/x",
    ],
  ])("show what only looks like them: %j", (path) => {
    expect(system.hidden(path)).toBe(false);
  });
  it("hide a template that is named itself, or whose directory is hidden", () => {
    const rules = rulesFor({ hide: ["**/.env.*", "**/.env.example", "private"] });
    expect([".env.example", "private/.env.sample", ".env.sample"].map((path) => rules.hidden(path))).toEqual([
      true,
      true,
      false,
    ]);
  });
  it.each(["env", "a/.environment", "a/pem", "README.md", ""])("show %j", (path) => {
    expect(system.hidden(path)).toBe(false);
  });
  it.each([".git", ".git/", ".git/config", ".git/hooks/a\nb", ".drydock/policy.yaml"])("protect %j", (path) => {
    expect(system.protectedPath(path)).toBe(true);
    expect(system.writable(path)).toBe(false);
  });
  it.each([".gitignore", "sub/.git/config", "a\nb", "..a", "a b", "ü", "-x", "a\\b", ""])(
    "let %j be written",
    (path) => {
      expect(system.protectedPath(path)).toBe(false);
      expect(system.writable(path)).toBe(true);
    },
  );
  it.each(["/etc/passwd", "../x", "a/../.git/config", "a//b", "./.git/config", "a\0b"])("close for %j", (path) => {
    expect(system.hidden(path)).toBe(true);
    expect(system.protectedPath(path)).toBe(true);
    expect(system.writable(path)).toBe(false);
  });
});

it("lets a directory's pattern stand for the directory itself", () => {
  const rules = rulesFor({ write: ["out/**", "logs/"] });
  expect(["out", "out/a", "out/.a/b", "logs", "logs/x"].map(rules.writable)).toEqual([true, true, true, true, true]);
  expect(["outer", "", "src/out/a"].map(rules.writable)).toEqual([false, false, false]);
});

it("protects what lies below a protected directory that is named without stars", () => {
  const rules = rulesFor({ protect: ["vendor"] });
  expect(rules.protectedPath("vendor/a/b")).toBe(true);
  expect(rules.protectedPath("vendored")).toBe(false);
});

it.each([
  "/abs",
  "../up",
  "a/../b",
  "!a",
  "a(b)",
  "+(a)",
  "a|b",
  "a\\b",
  "a\nb",
  "*a*a*a*a*",
  "x".repeat(300),
  "a//b",
  "./a",
])("refuses the pattern %j", (pattern) => {
  expect(describePathPatternProblem(pattern)).not.toBeNull();
});

describe("coversPath", () => {
  it.each([
    ["**", "anything/{a,b}", true],
    ["src/**", "src/a/*.py", true],
    ["src/**", "src", true],
    ["src/**", "srcs/a", false],
    ["src/**", "**", false],
    ["src/**", "*", false],
    ["src/*.py", "src/a.py", true],
    ["src/*.py", "src/*.py", true],
    ["src/*.py", "src/a*.py", false],
    ["s*/**", "src/**", false],
    ["{src,lib}/**", "src/a", true],
    ["src/a", "src/**", false],
    ["src/*", "src/a/", false],
  ])("%s over %s is %s", (ceiling, asked, covered) => {
    expect(coversPath(ceiling, asked)).toBe(covered);
  });

  it("never covers a pattern that lets through a path which the ceiling refuses", () => {
    const segment = fc.constantFrom("a", "b", "*", "**", "a*", "{a,b}");
    const pattern = fc.array(segment, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
    const path = fc.array(fc.constantFrom("a", "b", "ab", ".c"), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(pattern, pattern, path, (ceiling, asked, parts) => {
        return (
          !(coversPath(ceiling, asked) && rulesFor({ write: [asked] }).writable(parts.join("/"))) ||
          rulesFor({ write: [ceiling] }).writable(parts.join("/"))
        );
      }),
      { numRuns: 2000 },
    );
  });
});

it("hides a file that is named like the pattern itself", () => {
  expect(rulesFor({ hide: ["**/{a,b}"] }).hidden("x/{a,b}")).toBe(true);
});

it("a path is protected or hidden exactly where a pattern matches it or a directory above it, whatever was asked before", () => {
  const part = fc.constantFrom("a", ".a", "b.env", "*", "?*", "*.env", "{a,b.env}", "[ab]", ".*");
  const pattern = fc
    .tuple(fc.constantFrom("", "**/", "a/", "a/**/"), part, fc.constantFrom("", "/", "/**", "/a", "/B.env"))
    .map((parts) => parts.join(""));
  const path = fc
    .array(fc.constantFrom("a", ".a", "b.env", "B.ENV", "x", "A", ".env", "[ab]"), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.join("/"));
  fc.assert(
    fc.property(fc.array(pattern, { maxLength: 3 }), fc.array(path, { maxLength: 6 }), (patterns, paths) => {
      const { protectedPath, hidden } = rulesFor({ protect: patterns, hide: patterns });
      const options = { dot: true, nonegate: true, noextglob: true, windows: false };
      const globs = patterns.map((text) => (text.endsWith("/") ? `${text}**` : text));
      const [spelled, anyCase] = ["s", "si"].map((flags) =>
        globs.map((glob) => picomatch(glob, { ...options, flags })),
      );
      for (const each of paths) {
        const above = each.split("/").map((_, index, parts) => parts.slice(0, index + 1).join("/"));
        const isMatched = (matchers: typeof spelled) => above.some((one) => matchers?.some((matches) => matches(one)));
        const wanted = [patterns, each, isMatched(spelled), isMatched(anyCase)];
        expect([patterns, each, protectedPath(each), hidden(each)]).toEqual(wanted);
      }
    }),
    { numRuns: 500 },
  );
});
