import { expect, it } from "vitest";
import { checkRoot } from "./check-root.ts";

it.each(["https://api.telegram.org", "http://127.0.0.1:8081/api", "http://localhost:1", "http://[::1]:8081"])(
  "a token goes to %s",
  (api_root) => {
    expect(() => checkRoot({ api_root })).not.toThrow();
  },
);

it.each([
  "http://api.telegram.org",
  "http://10.0.0.5:8081",
  "http://localhost.evil.test",
  "http://127.0.0.1.evil.test",
  "http://[::2]",
])("a token does not go unencrypted to %s", (api_root) => {
  expect(() => checkRoot({ api_root })).toThrow("unencrypted");
});
