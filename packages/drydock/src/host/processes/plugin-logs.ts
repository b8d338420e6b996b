/** Of each plugin so much is kept, in memory only. */
const MAX_CHARS = 64 * 1024;
const MAX_PLUGINS = 256;

/** What plugins have written beside the protocol, in all their processes of this host. */
export interface PluginLogs {
  add(plugin: string, text: string): void;
  /** The newest of it, from the beginning of a line; empty where it has written nothing. */
  read(plugin: string): string;
}

export function createPluginLogs(): PluginLogs {
  const texts = new Map<string, { text: string; isCut: boolean }>();
  return {
    add(plugin, added) {
      const known = texts.get(plugin) ?? { text: "", isCut: false };
      const text = known.text + added;
      // Who wrote last stands last; the first is the one that has been silent for longest.
      texts.delete(plugin);
      texts.set(plugin, { text: text.slice(-MAX_CHARS), isCut: known.isCut || text.length > MAX_CHARS });
      for (const silent of texts.keys()) {
        if (texts.size <= MAX_PLUGINS) break;
        texts.delete(silent);
      }
    },
    read(plugin) {
      const { text, isCut } = texts.get(plugin) ?? { text: "", isCut: false };
      // Half a line may hold half a secret, which nobody recognises any more.
      return isCut ? text.slice(text.indexOf("\n") + 1) : text;
    },
  };
}
