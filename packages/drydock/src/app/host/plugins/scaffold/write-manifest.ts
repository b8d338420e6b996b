interface ManifestParts {
  author: string;
  name: string;
  runtime: string;
  command: string;
}

export const writeManifest = ({ author, name, runtime, command }: ManifestParts) => `author: ${JSON.stringify(author)}
name: ${JSON.stringify(name)}
version: 0.1.0
description: Greets, and repeats what it was told. Replace this with what your plugin is for.
runtime: ${runtime}
command: ${command}
sandbox:
  # Hosts that it may reach, such as api.example.org:443. Whoever installs the plugin is shown this list.
  hosts: []
  # Names of variables of the host that it may see, such as GREETER_API_KEY.
  environment: []
`;
