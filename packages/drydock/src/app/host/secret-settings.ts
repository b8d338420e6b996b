import { DrydockError } from "@drydock/protocol";
import { NO_SELECTION, type RunnerManifest } from "@drydock/protocol/runner";

type Form = Pick<RunnerManifest, "config_schema">;
type Config = Record<string, unknown>;
/** A value of the owner's store; null where there is none of this name. */
export type ReadSecret = (name: string) => Promise<string | null>;

/*
 * A field of the type `secret` holds the name of a secret. Settings are on record and shown to many; the value is put in when
 * the settings go to the runner's process, and stands nowhere else.
 */

/** Refuses settings whose secrets are not there. What stands in the field may be a key by mistake: it is not repeated. */
export async function checkSecrets(form: Form, config: Config, read: ReadSecret): Promise<void> {
  for (const { field, name } of listSecrets(form, config)) {
    if (name !== null && (await read(name)) !== null) continue;
    const message = `The setting ${field} must be the name of a secret, and there is no secret of the name that it holds.`;
    const hint = "Store the secret first: `drydock secret set NAME`. The setting then is NAME.";
    throw new DrydockError("input.invalid", message, hint, { field });
  }
}

/** The settings as the runner gets them. */
export async function revealSecrets(form: Form, config: Config, read: ReadSecret): Promise<Config> {
  const revealed = { ...config };
  for (const { field, name } of listSecrets(form, config)) {
    const value = name === null ? null : await read(name);
    if (value === null) {
      const hint = "Store it with `drydock secret set NAME`, or change the setting.";
      throw new DrydockError("input.invalid", `The secret that the setting ${field} names is gone.`, hint, { field });
    }
    revealed[field] = value;
  }
  return revealed;
}

function listSecrets({ config_schema }: Form, config: Config): { field: string; name: string | null }[] {
  return config_schema.flatMap(({ type, name: field }) => {
    const value = type === "secret" && Object.hasOwn(config, field) ? config[field] : null;
    if (value === null || value === undefined || NO_SELECTION.includes(String(value))) return [];
    return [{ field, name: typeof value === "string" ? value : null }];
  });
}
