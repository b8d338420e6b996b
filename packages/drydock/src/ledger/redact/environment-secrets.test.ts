import { describe, expect, test } from "vitest";
import { createRedactor } from "./create-redactor.ts";

const redact = (name: string, value: string, text: string) =>
  createRedactor({ environment: { [name]: value }, allowedNames: () => false }).text(text);

describe("where the name says that it is a secret, so it is", () => {
  test.each([
    ["DB_PASS", "/x9Kd83jq2LmZq"],
    ["ENCRYPTION_KEY", "/Fz83kd02LqWmN7Hh2"],
    ["MYSQL_PWD", "/pw77Kd83jq"],
    ["AWS_SECRET_ACCESS_KEY", "/wJalrXUtnFEMI/K7MDENG/bPxRfiCY"],
    ["DB_PASSWORD", "8675309123"],
    ["API_TOKEN", "4929-1234-5678-9012"],
    ["PYTHONTOKEN", "tok-83jq2LmZq"],
    ["npm_package_config_token", "tok-83jq2LmZq"],
    ["AUTHORIZATION", "correcthorse"],
    ["USER_PIN", "1234567890"],
  ])("%s=%s", (name, value) => {
    expect(redact(name, value, `x ${value} y`)).toBe(`x [redacted:${name}] y`);
  });
});

describe("what only lies or counts beside one stays", () => {
  test.each([
    ["SSH_KEY_PATH", "/home/u/.ssh/id"],
    ["TLS_KEY_FILE", "/x9Kd83jq2"],
    ["GOOGLE_APPLICATION_CREDENTIALS", "/etc/x.json"],
    ["SSH_AUTH_SOCK", "/tmp/ssh-XXq3kd83/agent.4711"],
    ["XAUTHORITY", "/run/user/1000/gdm/Xauthority"],
    ["SIGNING_KEY", "/models/keys/prod.pem"],
    ["PASSWORD_STORE_DIR", "/srv4711/pass"],
    ["MAX_TOKENS", "20000000"],
    ["TOKEN_EXPIRES_AT", "1790000000"],
    ["TOKEN_CHECK", "disabled"],
    ["GIT_AUTHOR_DATE", "1790000000"],
    ["SHIPPING_DATE", "20260101"],
    ["KEYBOARD", "qwertyuiop"],
    ["AUTH_HOST", "https://login.example.org/"],
    ["npm_package_author_name", "Some Body 1"],
    ["PYTHONPATH", "lib/one:lib/two"],
    ["OLDPWD", "/x9Kd83jq2LmZq"],
  ])("%s=%s", (name, value) => {
    expect(redact(name, value, `x ${value} y`)).toBe(`x ${value} y`);
  });
});

describe("parts of a value", () => {
  const key = "-----BEGIN PRIVATE KEY-----\nMIIBOgIBAAJBAKj34GkxFhD9\nshort\n-----END PRIVATE KEY-----\n";
  const account = {
    ...{ type: "service_account", project: { private_key: key, client_email: "me@project.example" } },
    ...{ token_uri: "https://oauth.example/token", password: "correcthorse" },
  };
  test.each([
    ["DATABASE_URL", "postgres://u:p%40ssw0rd99X@db/app", "p%40ssw0rd99X"],
    ["DATABASE_URL", "postgres://u:p%40ssw0rd99X@db/app", "p@ssw0rd99X"],
    ["DATABASE_URL", "postgres://u:p@ssw0rd99X@db/app", "p@ssw0rd99X"],
    ["DEPLOY_SECRET", "first-line-83jq2LmZq\nsecond-line-83jq2LmZq", "second-line-83jq2LmZq"],
    ["TLS_IDENTITY", key, "MIIBOgIBAAJBAKj34GkxFhD9"],
    ["API_KEYS", "Kd83jq2LmZq7,Xw92mf8Qpz5R", "Kd83jq2LmZq7"],
    ["API_KEYS", "Kd83jq2LmZq7; Xw92mf8Qpz5R", "Xw92mf8Qpz5R"],
    ["API_KEYS", "Kd83jq2LmZq7 Xw92mf8Qpz5R", "Xw92mf8Qpz5R"],
    ["BASIC_AUTH", "bob:hunter2hunter2", "hunter2hunter2"],
    ["BASIC_AUTHS", "bob:hunter2hunter2,eve:hunter3hunter3", "hunter3hunter3"],
    ["STORAGE_KEY", "AccountName=x;AccountKey=Kd83jq2LmZq7==", "Kd83jq2LmZq7=="],
    ["GCP_CREDENTIALS", JSON.stringify(account), "MIIBOgIBAAJBAKj34GkxFhD9"],
    ["GCP_CREDENTIALS", JSON.stringify(account, null, 2), "me@project.example"],
    ["GCP_CREDENTIALS", JSON.stringify(account), "correcthorse"],
  ])("%s=%s: %s", (name, value, part) => {
    expect(redact(name, value, `x ${part} y`)).toBe(`x [redacted:${name}] y`);
  });

  test.each([
    ["GCP_CREDENTIALS", JSON.stringify(account, null, 2), "service_account, https://oauth.example/token"],
    ["DB_PASSPHRASE", "an extraordinary horse", "extraordinary"],
    ["API_KEYS", "short,Kd83jq2LmZq7,/home/u/.ssh/id", "short /home/u/.ssh/id"],
    ["FEATURES", "Kd83jq2LmZq7,Xw92mf8Qpz5R", "Kd83jq2LmZq7"],
    ["BASH_FUNC", "() {\n  echo one two three four\n}", "echo one two three four"],
    ["BROKEN_URL", "postgres://u:p%4@db/app", "p%4"],
  ])("stay where they say nothing: %s=%s: %s", (name, value, text) => {
    expect(redact(name, value, text)).toBe(text);
  });

  test("another key is recognised by its first line, which is part of no secret", () => {
    const other = "-----BEGIN PRIVATE KEY-----\nXXXXOgIBAAJBAKj34GkxFhD9\n-----END PRIVATE KEY-----";
    expect(redact("DEPLOY_KEY", key, other)).toBe("[redacted:private-key]");
    const redactor = createRedactor({ environment: {}, allowedNames: () => false });
    redactor.learn(key, "KEY");
    expect(redactor.text(other)).toBe("[redacted:private-key]");
  });
});
