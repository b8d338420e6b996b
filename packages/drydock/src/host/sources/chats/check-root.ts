import { DrydockError } from "@drydock/protocol";

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Refuses an address to which the token would go unencrypted over a network. */
export function checkRoot({ api_root }: { api_root: string }): void {
  const { protocol, hostname } = new URL(api_root);
  if (protocol === "https:" || LOOPBACK.test(hostname)) return;
  const message = "The setting api_root is not valid: the token would go there unencrypted.";
  const hint = "Name an address with https. Only one of this machine, such as http://127.0.0.1:8081, can do without.";
  throw new DrydockError("input.invalid", message, hint, { field: "api_root" });
}
