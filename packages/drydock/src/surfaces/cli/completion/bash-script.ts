import type { KnownCommand, KnownValues } from "./list-commands.ts";

/**
 * For bash. A line of `drydock do` is passed to Drydock as it was typed, without the options and the quote before it.
 * Bash itself splits words at `=` and `:`, so that only what comes after those is replaced.
 */
export function writeBashScript(commands: readonly KnownCommand[]): string {
  return `# Completion of drydock for bash. Load it with: source <(drydock completion bash)
_drydock_known() {
  words= options= values= list=
  case "$1" in
${writeCases(commands)}
  esac
}

# What may follow an option. Fails for one without a value.
_drydock_option() {
  values= list=
  case "$1 $2" in
${writeOptionCases(commands)}
    *) return 1 ;;
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
  local line=\${COMP_LINE:0:COMP_POINT} cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]}
  local path= words options values list index
  local do_line='^[[:space:]]*[^[:space:]]+[[:space:]]+do[[:space:]]+(.*)$'
  COMPREPLY=()
  if [[ $line =~ $do_line ]] && _drydock_do "\${BASH_REMATCH[1]}" "$cur"; then return; fi
  if [[ $cur == "=" ]]; then cur=; elif [[ $prev == "=" ]]; then prev=\${COMP_WORDS[COMP_CWORD - 2]}; fi
  _drydock_known ""
  for ((index = 1; index < COMP_CWORD; index++)); do
    case " $words " in
      *" \${COMP_WORDS[index]} "*)
        path="\${path:+$path }\${COMP_WORDS[index]}"
        _drydock_known "$path"
        ;;
    esac
  done
  if [[ $prev == --* ]] && _drydock_option "$path" "$prev"; then
    :
  else
    _drydock_known "$path"
    if [[ $cur == -* ]]; then values=$options list=; else values="$words $values"; fi
  fi
  if [[ -n $list ]]; then
    values="$values $("\${COMP_WORDS[0]}" $list list --complete 2>/dev/null </dev/null | cut -f1)"
  fi
  COMPREPLY=($(compgen -W "$values" -- "$cur"))
}

complete -o default -F _drydock drydock
`;
}

/** What may follow each command. The names of the variables end in `suffix`. */
export function writeCases(commands: readonly KnownCommand[], suffix = ""): string {
  return commands
    .map(({ path, words, options, argument }) => {
      const names = options.map(({ name }) => name);
      const own = `words${suffix}="${words.join(" ")}" options${suffix}="${names.join(" ")}"`;
      return `    "${path}") ${own}${writeValues(argument, suffix)} ;;`;
    })
    .join("\n");
}

/** The options that take a value, each with what that may be. */
export function writeOptionCases(commands: readonly KnownCommand[], suffix = ""): string {
  return commands
    .flatMap(({ path, options }) =>
      options.flatMap(({ name, value }) => (value ? [`    "${path} ${name}")${writeValues(value, suffix)} ;;`] : [])),
    )
    .join("\n");
}

function writeValues({ words, list }: KnownValues, suffix: string): string {
  const fixed = words.length > 0 ? ` values${suffix}="${words.join(" ")}"` : "";
  return list === null ? fixed : `${fixed} list${suffix}=${list}`;
}
