import type { ProviderApi } from "@drydock/protocol";
import { WIRES } from "./wires.ts";

/** An address as people write it, made the one that requests go to. */
export function completeAddress(api: ProviderApi, baseUrl: string): string {
  return WIRES[api].completeAddress?.(baseUrl) ?? baseUrl;
}
