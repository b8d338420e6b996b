import { describe, expect, test } from "vitest";
import { createRedactor } from "./create-redactor.ts";

function redactorOf(environment: Record<string, string | undefined>, allowed: string[] = [], patterns: string[] = []) {
  return createRedactor({ environment, allowedNames: (name) => allowed.includes(name), patterns });
}
const plain = redactorOf({});

describe("environment", () => {
  const secret = "p@ss/w0rd+é!";
  const redactor = redactorOf({ DB_PASSWORD: secret });

  test("a value that is not allowed through is taken out wherever it stands", () => {
    expect(redactor.text(`before ${secret} after ${secret}${secret}`)).toBe(
      "before [redacted:DB_PASSWORD] after [redacted:DB_PASSWORD][redacted:DB_PASSWORD]",
    );
  });

  test.each([
    ["base 64", (text: string) => Buffer.from(text).toString("base64")],
    ["base 64 behind one byte", (text: string) => Buffer.from(`a${text}xyz`).toString("base64")],
    ["base 64 behind two bytes", (text: string) => Buffer.from(`ab${text}xyz`).toString("base64")],
    ["base 64 as in basic authentication", (text: string) => Buffer.from(`user:${text}`).toString("base64")],
    ["base 64 for URLs", (text: string) => Buffer.from(`a${text}`).toString("base64url")],
    ["hexadecimal", (text: string) => Buffer.from(text).toString("hex")],
    ["upper-case hexadecimal", (text: string) => Buffer.from(text).toString("hex").toUpperCase()],
    ["percent encoding", (text: string) => encodeURIComponent(text)],
  ])("it is found in %s", (_name, encode) => {
    expect(redactor.text(`= ${encode(secret)} ;`)).toContain("[redacted:DB_PASSWORD]");
  });

  test("it is found inside JSON inside a string", () => {
    const tricky = redactorOf({ X: 'quote"and\nnewline' });
    expect(tricky.text(JSON.stringify({ a: 'quote"and\nnewline' }))).toBe('{"a":"[redacted:X]"}');
  });

  test("a value that is allowed through stays", () => {
    expect(redactorOf({ REGION_NAME: "eu-central-1" }, ["REGION_NAME"]).text("eu-central-1")).toBe("eu-central-1");
  });

  test("an address with credentials counts, and so does its password alone", () => {
    const url = redactorOf({ DATABASE_URL: "postgres://app:correcthorse@db:5432/x" });
    expect(url.text("postgres://app:correcthorse@db:5432/x")).toBe("[redacted:DATABASE_URL]");
    expect(url.text("the password is correcthorse")).toBe("the password is [redacted:DATABASE_URL]");
  });

  test("where one secret begins with another, the whole of the longer one goes", () => {
    expect(redactorOf({ A: "abcdefg1", B: "abcdefg1ijkl" }).text("abcdefg1ijkl")).toBe("[redacted:B]");
  });

  test("a plain word is a secret where the name says so", () => {
    expect(redactorOf({ DB_PASS: "correcthorse" }).text("correcthorse")).toBe("[redacted:DB_PASS]");
  });

  test("a random key that begins with a slash is no path", () => {
    expect(redactorOf({ AWS_SECRET: "/abcDEF123ghiJKL" }).text("/abcDEF123ghiJKL")).toBe("[redacted:AWS_SECRET]");
  });

  test.each([
    ["short", "X", "1234567"],
    ["a path", "CARGO_ROOT", "/opt/cargo/registry"],
    ["a list of paths", "GOPATHS", "/opt/go:/usr/local/go"],
    ["a number", "BUILD_ID", "20260101123456"],
    ["a boolean", "WANTED", "disabled"],
    ["a plain word", "STAGE", "production"],
    ["a word that is a field of records", "X", "inputTokens"],
    ["a harmless name", "TERM", "xterm-256color"],
    ["a harmless name", "LC_ALL", "en_US.UTF-8"],
    ["an address without anything secret", "REGISTRY", "https://packages.example.org/"],
    ["empty", "EMPTY", ""],
    ["not set", "UNSET", undefined],
  ])("%s is no secret: %s=%s", (_why, name, value) => {
    expect(redactorOf({ [name]: value }).text(`x ${value} y`)).toBe(`x ${value} y`);
  });
});

describe("well-known formats", () => {
  const hex40 = "0123456789abcdef0123456789abcdef01234567";
  const long = "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789";
  const secret40 = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
  test.each([
    ["AKIAIOSFODNN7EXAMPLE", "[redacted:aws-key-id]"],
    [
      `AKIAIOSFODNN7EXAMPLE ${secret40}`.replace("EXAMPLEKEY", "EXAMPLE123"),
      "[redacted:aws-key-id] [redacted:aws-secret-key]",
    ],
    [`aws_secret_access_key = ${secret40}`, "aws_secret_access_key = [redacted:aws-secret-key]"],
    [`"SecretAccessKey": "${secret40}"`, '"SecretAccessKey": "[redacted:aws-secret-key]"'],
    [`sk-${long}`, "[redacted:api-key]"],
    [`sk-or-v1-${hex40}`, "[redacted:api-key]"],
    [`sk-proj-${long}-_x`, "[redacted:openai-key]"],
    [`sk-ant-api03-${long}-AA`, "[redacted:anthropic-key]"],
    [`ghp_${long}`, "[redacted:github-token]"],
    [`gho_${long}`, "[redacted:github-token]"],
    [`ghs_${long}`, "[redacted:github-token]"],
    [`github_pat_11ABCDEFG0_${long}`, "[redacted:github-token]"],
    [`glpat-${long}`, "[redacted:gitlab-token]"],
    ["xoxb-123456789012-abcdefGHIJ", "[redacted:slack-token]"],
    ["xoxp-123456789012-abcdefGHIJ", "[redacted:slack-token]"],
    [`AIza${long.slice(0, 35)}`, "[redacted:google-key]"],
    [`npm_${long}`, "[redacted:npm-token]"],
    ["sk_live_0123456789abcdefGHIJ", "[redacted:stripe-key]"],
    ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl_-x", "[redacted:jwt]"],
    ["Authorization: Bearer abcdefgh", "Authorization: Bearer [redacted:authorization]"],
    ['"authorization": "Basic dXNlcjpwYXNz"', '"authorization": "Basic [redacted:authorization]"'],
    ["curl -H 'bearer 0123456789abcdef'", "curl -H 'bearer [redacted:bearer-token]'"],
    ["redis://:secret@host:6379", "redis://:[redacted:url-password]@host:6379"],
    ["mysql://root:p@ss:word@db/x", "mysql://root:[redacted:url-password]@db/x"],
    ["-----BEGIN PRIVATE KEY-----\nMIIE\nabc=\n-----END PRIVATE KEY-----\nrest", "[redacted:private-key]\nrest"],
    ["a -----BEGIN RSA PRIVATE KEY-----\\nMIIE\\n-----END RSA PRIVATE KEY----- b", "a [redacted:private-key] b"],
    ["-----BEGIN OPENSSH PRIVATE KEY-----\nb3Blbn cut off", "[redacted:private-key]"],
    [`line\\nsk-ant-api03-${long}`, "line\\n[redacted:anthropic-key]"],
    [`q=%3Dghp_${long}`, "q=%3D[redacted:github-token]"],
    [`ghp_${long} and ghp_${long}`, "[redacted:github-token] and [redacted:github-token]"],
  ])("%s", (text, expected) => {
    expect(plain.text(text)).toBe(expected);
    expect(plain.text(expected)).toBe(expected);
  });

  test.each([
    "task-force-one-and-some-more-words",
    "sk-learn is a library, sk-learn-contrib too",
    "the bearer responsibilities of this",
    `commit ${hex40}`,
    "https://example.org/a:b@c",
    "https://example.org:8080/path",
    "https://user@example.org/",
    "-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----",
    "eyJ is how they begin",
    "secret_key = short",
    "AKIA is a prefix",
    "npm_config_registry",
  ])("is left alone: %s", (text) => {
    expect(plain.text(text)).toBe(text);
  });

  test("hostile text is read in linear time", () => {
    const size = 2_000_000;
    for (const piece of [
      "eyJ",
      "eyJaaaaaaaa.",
      "sk-",
      "sk-a-",
      "://",
      "://a:",
      "-----BEGIN PRIVATE KEY-----",
      "bearer ",
      "AKIAIOSFODNN7EXAMPLE ",
      "a",
      "authorization:",
      "secret_key=",
      "xoxb-",
      "A/+",
    ]) {
      // Quadratic time would take hours here, and the runner's timeout is the assertion.
      expect(typeof plain.text(piece.repeat(size / piece.length))).toBe("string");
    }
  });
});

describe("configured patterns", () => {
  test("what they match is taken out", () => {
    expect(redactorOf({}, [], ["acme-[0-9a-f]{8}"]).text("acme-0123abcd!")).toBe("[redacted:pattern]!");
  });

  test.each(["(", "a*", "", "(a+)+b", "((ab)*c)+", "(a{2,}){3,}"])("refused: %s", (pattern) => {
    expect(() => redactorOf({}, [], [pattern])).toThrow(expect.objectContaining({ code: "policy.invalid" }));
  });
});

describe("values", () => {
  const redactor = redactorOf({ TOKEN: "tok-12345678" });

  test("strings and keys at any depth", () => {
    expect(redactor.value({ a: ["x tok-12345678", { "tok-12345678": 1 }], n: 5, t: true, z: null })).toEqual({
      a: ["x [redacted:TOKEN]", { "[redacted:TOKEN]": 1 }],
      n: 5,
      t: true,
      z: null,
    });
  });

  test("a value that its key alone gives away", () => {
    expect(redactor.value({ headers: { Authorization: "opaque-value" }, secretAccessKey: "whatever-it-is" })).toEqual({
      headers: { Authorization: "[redacted:Authorization]" },
      secretAccessKey: "[redacted:secretAccessKey]",
    });
  });

  test("a value without secrets is the same value", () => {
    const value = { a: [1, "two", { three: null }] };
    expect(redactor.value(value)).toBe(value);
  });

  test("a key named __proto__ survives, and hostile nesting is cut off", () => {
    const value = JSON.parse('{"__proto__":"tok-12345678"}');
    expect(JSON.stringify(redactor.value(value))).toBe('{"__proto__":"[redacted:TOKEN]"}');
    const deep = JSON.parse("[".repeat(50_000) + "]".repeat(50_000));
    expect(JSON.stringify(redactor.value(deep))).toContain("nested too deep");
  });
});

describe("what it learns later", () => {
  const secret = "p4ss/w+rd?x";

  test.each([
    ["as it is", secret],
    ["in JSON", JSON.stringify({ a: secret })],
    ["in an address", encodeURIComponent(secret)],
    ["in hexadecimal", Buffer.from(secret).toString("hex")],
    ["in base 64", Buffer.from(secret).toString("base64")],
    ["in Basic authentication, behind a user's name", Buffer.from(`ab:${secret}`).toString("base64")],
    ["in Basic authentication, at another position", Buffer.from(`abcd:${secret}`).toString("base64")],
  ])("is taken out %s", (_name, text) => {
    const redactor = redactorOf({});
    redactor.learn(secret, "PASSWORD");
    expect(redactor.text(`x ${text} y`)).toContain("[redacted:PASSWORD]");
    expect(redactor.text(`x ${text} y`)).not.toContain(text);
  });

  test("six characters are enough, five are not", () => {
    const redactor = redactorOf({});
    redactor.learn("abc123");
    redactor.learn("xy123");
    expect(redactor.text("abc123 xy123")).toBe("[redacted:secret] xy123");
  });

  test("each long line of a key is one, and other secrets are found as before", () => {
    const redactor = redactorOf({ TOKEN: "tok-12345678" });
    redactor.learn("-----BEGIN KEY-----\nMIIBOgIBAAJBAKj34GkxFhD9\nshort\n", "KEY");
    expect(redactor.text("grep: MIIBOgIBAAJBAKj34GkxFhD9, short, tok-12345678")).toBe(
      "grep: [redacted:KEY], short, [redacted:TOKEN]",
    );
  });

  test("a frozen value that was looked through before is looked through again", () => {
    const redactor = redactorOf({});
    const value = Object.freeze({ a: "later-a-secret" });
    expect(redactor.value(value)).toBe(value);
    redactor.learn("later-a-secret", "LATER");
    expect(redactor.value(value)).toEqual({ a: "[redacted:LATER]" });
  });

  test("of two secrets of which one is the beginning of the other, the longer is taken out whole", () => {
    const redactor = redactorOf({});
    redactor.learn("secret-one", "A");
    redactor.learn("secret-one-and-two", "B");
    expect(redactor.text("secret-one-and-two secret-one")).toBe("[redacted:B] [redacted:A]");
  });
});

test("finds a secret as JSON, forms, addresses and HTML of all writers spell it", () => {
  const secret = `p/ss w(rd)'&"<é>~!+=`;
  const redactor = createRedactor({ environment: {}, allowedNames: () => false });
  redactor.learn(secret, "PIN");
  const html = secret
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
  for (const spelled of [
    secret,
    JSON.stringify(secret).slice(1, -1),
    JSON.stringify(secret).slice(1, -1).replaceAll("/", "\\/").replace("é", "\\u00e9"),
    encodeURIComponent(secret),
    encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase()),
    new URLSearchParams({ key: secret }).toString().slice("key=".length),
    // As Python's urllib quotes it.
    "p%2Fss%20w%28rd%29%27%26%22%3C%C3%A9%3E~%21%2B%3D",
    html.replaceAll("'", "&#39;"),
    html.replaceAll("'", "&#x27;"),
  ]) {
    expect(redactor.text(`<${spelled}>`), spelled).toBe("<[redacted:PIN]>");
  }
});
