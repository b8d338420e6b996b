export * from "@drydock/client";
