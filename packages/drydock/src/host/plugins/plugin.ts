/** A plugin that is installed: where it lies, and how its process is started. */
export interface Plugin {
  /** `author/name`. */
  id: string;
  author: string;
  name: string;
  version: string;
  directory: string;
  /** Program and arguments, as the sandbox starts them in the plugin's directory. */
  command: string[];
}
