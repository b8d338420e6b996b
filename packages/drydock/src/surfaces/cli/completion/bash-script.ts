import type { KnownCommand } from "./list-commands.ts";

/**
 * For bash. A line of `drydock do` is given to Drydock as it was typed, without whatever options and quote stand before it.
 * Bash itself splits words at `=` and `:`, so that only what comes after those is replaced.
 */
export function writeBashScript(commands: readonly KnownCommand[]): string {
  return `# Completion of drydock for bash. Load it with: source <(drydock completion bash)
_drydock_known() {
  words= options= runs= run_options=
  case "$1" in
${writeCases(commands)}
  esac
}

_drydock_do() {
  local rest=$1 cur=$2 quote= begun word text prefix
  local own='^(--(session|workspace|user|model)[[:space:]=]+[^[:space:]]+|--(yes|wait|json))[[:space:]]+(.*)$'
  while [[ $rest =~ $own ]]; do rest=\${BASH_REMATCH[4]}; done
  case $rest in
    "'"*) quote="'" ;;
    '"'*) quote='"' ;;
  esac
  rest=\${rest#"$quote"}
  if [[ $rest != /* && -n $rest ]] || [[ -n $quote && $rest == *"$quote"* ]]; then return 1; fi
  {
    IFS= read -r begun
    while IFS=$'\\t' read -r word text; do
      if [[ -n $quote ]]; then
        [[ $word == *"$quote"* ]] || COMPREPLY+=("\${rest%"$begun"}$word")
        continue
      fi
      case $cur in '=' | ':') cur= ;; esac
      prefix=\${begun%"$cur"}
      COMPREPLY+=("\${word#"$prefix"}")
    done
  } < <("\${COMP_WORDS[0]}" do --complete "$rest" 2>/dev/null </dev/null)
  # Bash would close the quote after the only match; with a second one it goes on within it.
  if [[ -n $quote && \${#COMPREPLY[@]} -eq 1 ]]; then COMPREPLY+=("\${COMPREPLY[0]} "); fi
  return 0
}

_drydock() {
  local line=\${COMP_LINE:0:COMP_POINT} cur=\${COMP_WORDS[COMP_CWORD]} path= words options runs run_options index
  local do_line='^[[:space:]]*[^[:space:]]+[[:space:]]+do[[:space:]]+(.*)$'
  COMPREPLY=()
  if [[ $line =~ $do_line ]] && _drydock_do "\${BASH_REMATCH[1]}" "$cur"; then return; fi
  _drydock_known ""
  for ((index = 1; index < COMP_CWORD; index++)); do
    case " $words " in
      *" \${COMP_WORDS[index]} "*)
        path="\${path:+$path }\${COMP_WORDS[index]}"
        _drydock_known "$path"
        ;;
    esac
  done
  if [[ $cur == -* ]]; then
    words=$options
  elif [[ -n $runs || " $run_options " == *" \${COMP_WORDS[COMP_CWORD - 1]} "* ]]; then
    words=$("\${COMP_WORDS[0]}" runs list --complete 2>/dev/null </dev/null | cut -f1)
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}

complete -o default -F _drydock drydock
`;
}

/** What may follow each command, for both shells. */
export function writeCases(commands: readonly KnownCommand[]): string {
  return commands
    .map(({ path, words, options, takesRun, runOptions }) => {
      const runs = `${takesRun ? " runs=yes" : ""}${runOptions.length > 0 ? ` run_options="${runOptions.join(" ")}"` : ""}`;
      return `    "${path}") words="${words.join(" ")}" options="${options.join(" ")}"${runs} ;;`;
    })
    .join("\n");
}
