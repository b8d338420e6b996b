import type { KnownCommand } from "./list-commands.ts";

/**
 * For fish, which asks for the words that fit at the cursor, each with what it is after a tab. Files are completed where
 * a command has no words of its own.
 */
export function writeFishScript(commands: readonly KnownCommand[]): string {
  return `# Completion of drydock for fish. Load it with: drydock completion fish | source
set -g __drydock_commands ${commands.flatMap(({ path }) => (path ? [quote(path)] : [])).join(" ")}

# The command that the words before the cursor make, such as "runs show".
function __drydock_path
    set -l words (commandline -opc)
    set -l path ""
    set -e words[1]
    for word in $words
        set -l next (string trim -- "$path $word")
        if contains -- "$next" $__drydock_commands
            set path $next
        end
    end
    echo "$path"
end

function __drydock_at
    set -l path (__drydock_path)
    test "$path" = "$argv[1]"
end

function __drydock_runs
    drydock runs list --complete 2>/dev/null </dev/null
end

# A line of drydock do, without the options and the quote before it. Within quotes a word is completed with all before it.
function __drydock_do
    set -l rest (commandline -cp | string replace -r '^\\s*\\S+\\s+do\\s+' '')
    set -l rest (string replace -r '^((--(session|workspace|user|model)[\\s=]+\\S+|--(yes|wait|json))\\s+)+' '' -- "$rest")
    set -l line (string replace -r '^[\\'"]' '' -- "$rest")
    set -l found (drydock do --complete "$line" 2>/dev/null </dev/null)
    test (count $found) -gt 1; or return
    set -l before ""
    if test "$line" != "$rest"
        set before (string sub -l (math (string length -- "$line") - (string length -- "$found[1]")) -- "$line")
    end
    for word in $found[2..-1]
        echo "$before$word"
    end
end

complete -c drydock -e
complete -c drydock -n "__drydock_at do" -f -a "(__drydock_do)"
${commands.flatMap(writeRules).join("\n")}
`;
}

function writeRules({ path, words, options, takesRun, runOptions }: KnownCommand): string[] {
  const at = `complete -c drydock -n ${quote(`__drydock_at ${quote(path)}`)}`;
  return [
    ...(words.length > 0 ? [`${at} -f -a ${quote(words.join(" "))}`] : []),
    ...(takesRun ? [`${at} -f -a "(__drydock_runs)"`] : []),
    ...options.map((option) => {
      const value = runOptions.includes(option) ? ' -x -a "(__drydock_runs)"' : "";
      return `${at} -l ${option.replace(/^--/, "")}${value}`;
    }),
  ];
}

/** Within single quotes fish reads a backslash before a quote or a backslash only. */
function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
