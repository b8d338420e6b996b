import { RunnerError } from "@drydock/runner-sdk";
import type { Field, Service, Settings } from "./service.ts";

const label = (en_US: string) => ({ en_US });

export function field(name: string, type: Field["type"], description: string, more: Partial<Field> = {}): Field {
  return { name, type, label: label(name), description: label(description), ...more };
}

/** The fields that most services have. */
export function commonFields({ required, timeoutSeconds }: Pick<Service, "required" | "timeoutSeconds">): Field[] {
  return [
    ...(required.includes("webhook-url") ? [] : [field("base-url", "string", "Address of the service.")]),
    field("api-key", "secret", "Name of the secret that holds the key."),
    field("timeout", "integer", "How long an answer may take, in seconds.", { default: timeoutSeconds }),
  ];
}

/** Reads settings by their names. What is missing or of another type ends the run with `NAME.config_invalid`. */
export function readSettings(service: Service, config: Record<string, unknown>): Settings {
  const invalid = (name: string, problem: string) =>
    new RunnerError(`${service.name}.config_invalid`, `The setting \`${name}\` ${problem}.`);
  const find = (name: string) => config[name] ?? service.fields.find((each) => each.name === name)?.default;
  const settings: Settings = {
    text(name) {
      const value = find(name) ?? "";
      if (typeof value === "string") return value.trim();
      throw invalid(name, "must be a text");
    },
    flag(name) {
      const value = find(name) ?? false;
      if (typeof value === "boolean") return value;
      throw invalid(name, "must be true or false");
    },
    count(name, fallback) {
      const value = find(name) ?? fallback;
      if (Number.isInteger(value) && Number(value) > 0) return Number(value);
      throw invalid(name, "must be a whole number above 0");
    },
    list(name) {
      const value = find(name) ?? [];
      if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value;
      throw invalid(name, "must be a list of texts");
    },
    object(name) {
      const value = find(name) ?? {};
      if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
      throw invalid(name, "must be an object");
    },
  };
  for (const name of service.required) if (settings.text(name) === "") throw invalid(name, "is missing");
  for (const name of ["base-url", "webhook-url"]) {
    const address = settings.text(name);
    const url = address === "" ? null : URL.parse(address);
    if (address !== "" && !(url && /^https?:$/.test(url.protocol)))
      throw invalid(name, "must be an http or https address");
    if (url && (url.username || url.password)) throw invalid(name, "must hold no user and no password");
  }
  return settings;
}
