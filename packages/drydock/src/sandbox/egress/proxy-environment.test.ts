import { expect, it } from "vitest";
import { proxyEnvironment } from "./proxy-environment.ts";

it("points every client at the bridge and keeps the sandbox's own loopback direct", () => {
  const proxy = "http://127.0.0.1:3128";
  expect(proxyEnvironment(3128, ["example.org:443"])).toEqual({
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    ALL_PROXY: proxy,
    http_proxy: proxy,
    https_proxy: proxy,
    all_proxy: proxy,
    NO_PROXY: "localhost,127.0.0.1,::1",
    no_proxy: "localhost,127.0.0.1,::1",
    NODE_USE_ENV_PROXY: "1",
  });
});

it("sends a loopback name that the policy allows through the bridge", () => {
  expect(proxyEnvironment(1, ["127.0.0.1:8080"]).NO_PROXY).toBe("localhost,::1");
  expect(proxyEnvironment(1, ["[::1]:8080", "LOCALHOST:80"]).no_proxy).toBe("127.0.0.1");
  expect(proxyEnvironment(1, ["localhost:1", "127.0.0.1:2", "[::1]:3"]).NO_PROXY).toBe("");
});
