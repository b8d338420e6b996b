const LOOPBACK_HOSTS = ["localhost", "127.0.0.1", "::1"];

/**
 * What makes curl, git, Python and Node use the bridge on `port`. Loopback inside the sandbox is the run's own and is
 * reached directly, except for those of its names by which the policy lets the run reach the machine outside.
 */
export function proxyEnvironment(port: number, allow: readonly string[]): Record<string, string> {
  const proxy = `http://127.0.0.1:${port}`;
  const named = new Set(
    allow.map((entry) =>
      entry
        .slice(0, entry.lastIndexOf(":"))
        .toLowerCase()
        .replace(/^\[(.*)\]$/, "$1"),
    ),
  );
  const direct = LOOPBACK_HOSTS.filter((host) => !named.has(host)).join(",");
  return {
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    ALL_PROXY: proxy,
    http_proxy: proxy,
    https_proxy: proxy,
    all_proxy: proxy,
    NO_PROXY: direct,
    no_proxy: direct,
    NODE_USE_ENV_PROXY: "1",
  };
}
