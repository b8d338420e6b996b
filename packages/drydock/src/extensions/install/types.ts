import type { ExtensionCommand, InstalledExtension, InstallPlan } from "@drydock/protocol";

export interface InstallOptions {
  /** Shown the permissions; without consent nothing is installed. */
  approve: (plan: InstallPlan) => Promise<boolean>;
  /** The hash of the expected files, from an earlier plan: for any other hash, `approve` is called in any case. */
  hash?: string;
  by?: string;
  signal?: AbortSignal;
  onProgress?: (message: string) => void;
}

/** A command that can be called, with the extension that it belongs to. */
export interface EnabledCommand {
  extension: string;
  command: ExtensionCommand;
}

/** An extension with the place where its files lie. */
export interface ExtensionRecord extends InstalledExtension {
  /** Absolute. */
  directory: string;
}

/** One thing that is fetched from the network, in the sandbox. */
export interface Download {
  url: string;
  /** What it is for, as the record shows it. */
  title: string;
  maxBytes: number;
  signal?: AbortSignal;
}

export interface RegistryOptions {
  /** `DRYDOCK_HOME`. */
  home: string;
  /** Where the extensions lie that come with Drydock; null for none. */
  builtInDirectory: string | null;
  /** Fetches through the one door; rejects with a DrydockError. */
  download: (download: Download) => Promise<Uint8Array>;
  /** The address of the npm registry for a package (scopes can have their own); null where none is configured. */
  npmRegistry: (packageName: string) => Promise<string | null>;
  now?: () => Date;
  /** Called before each step that changes something on disk: for tests that end the process there. */
  onStep?: (step: string) => void;
}

/** What changes which extensions there are. */
export interface RegistryChanges {
  /** From a directory, a tarball or an npm package; all or nothing. */
  add(source: string, options: InstallOptions): Promise<InstalledExtension>;
  update(id: string, options: InstallOptions & { source?: string }): Promise<InstalledExtension>;
  enable(id: string): Promise<InstalledExtension>;
  disable(id: string): Promise<InstalledExtension>;
  remove(id: string): Promise<void>;
}

export interface Registry extends RegistryChanges {
  /** All of them, by id; each one's files are held against its hash first. */
  list(): Promise<ExtensionRecord[]>;
  /** DrydockError `extension.not_found` where there is none. Nothing is checked: `inspect` and `verify` do that. */
  get(id: string): Promise<ExtensionRecord>;
  /** The same, after its files were held against its hash. */
  inspect(id: string): Promise<ExtensionRecord>;
  /** `docs/USAGE.md` of an extension; empty where it can't be read. */
  readUsage(id: string): Promise<string>;
  /** Of all that are enabled, in the order of their names. The same array as long as nothing changed. */
  routes(): Promise<readonly EnabledCommand[]>;
  /**
   * That an extension may be used: it is enabled, and its files are those that were agreed to. Otherwise a DrydockError
   * (`extension.disabled`, `extension.quarantined`); changed files quarantine it. Cheap from the second time on.
   */
  verify(id: string): Promise<ExtensionRecord>;
}
