import type { ModelPrice, ProviderApi } from "@drydock/protocol";

/** All that Drydock knows of a model provider without any configuration. What the owner configures wins over it. */
export interface Provider {
  /** The first part of `PROVIDER/NAME`. */
  readonly name: string;
  /** The usual name of the company. */
  readonly company: string;
  /** How it is spoken to at its own address. */
  readonly api: ProviderApi;
  /** How a server is spoken to that stands in its place, at another address. Default: `api`. */
  readonly apiElsewhere?: ProviderApi;
  readonly baseUrl: string;
  /** The environment variable that holds the key. Absent where none is needed. */
  readonly keyVariable?: string;
  /** The environment variable with another address, as the provider's own tools read it. */
  readonly addressVariable?: string;
  /** The default model if the key is set and no model was named. */
  readonly suggestedModel?: string;
  /** List prices in USD per million tokens, by the model's name; `*` is any model. Prices change and rebates exist. */
  readonly prices: Readonly<Record<string, ModelPrice>>;
  /** What its keys look like, so that no record shows one. */
  readonly keyFormat?: KeyFormat;
}

export interface KeyFormat {
  /** Stands in place of a key: `[redacted:NAME]`. */
  readonly name: string;
  /** The text that each key begins with: letters, digits, `-` and `_`. */
  readonly begins: string;
  /** A regular expression for the rest. What it repeats is bounded, and nothing repeated is repeated as a whole. */
  readonly continues: string;
}
