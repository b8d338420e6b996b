import { writeCases } from "./bash-script.ts";
import type { KnownCommand } from "./list-commands.ts";

/** For zsh, which knows the word at the cursor with its quote, and shows what each match is. */
export function writeZshScript(commands: readonly KnownCommand[]): string {
  return `#compdef drydock
# Completion of drydock for zsh. Load it with: source <(drydock completion zsh)
_drydock_known() {
  words_= options_= runs_= run_options=
  case "$1" in
${writeCases(commands).replaceAll(' words="', ' words_="').replaceAll(' options="', ' options_="').replaceAll(" runs=yes", " runs_=yes")}
  esac
}

_drydock_do() {
  local rest=$1 quote= begun word text
  local own='^(--(session|workspace|user|model)[[:space:]=]+[^[:space:]]+|--(yes|wait|json))[[:space:]]+(.*)$'
  local -a match found shown
  while [[ $rest =~ $own ]]; do rest=$match[4]; done
  # The quote that is open is no part of the line that zsh shows here.
  quote=$QIPREFIX
  rest=\${rest#$quote}
  if [[ $rest != /* && -n $rest ]] || [[ -n $quote && $rest == *$quote* ]]; then return 1; fi
  {
    IFS= read -r begun
    while IFS=$'\\t' read -r word text; do
      [[ -n $quote && $word == *$quote* ]] && continue
      found+=("$word")
      shown+=("$word -- $text")
    done
  } < <(\${words[1]} do --complete "$rest" 2>/dev/null </dev/null)
  if [[ -n $quote ]]; then
    # Within the quotes only the last word is replaced.
    compset -P '*[ |]'
    compadd -Q -S '' -d shown -- $found
  else
    compadd -Q -U -d shown -- $found
  fi
  return 0
}

_drydock_runs() {
  local id text
  local -a found shown
  while IFS=$'\\t' read -r id text; do
    found+=("$id")
    shown+=("$id -- $text")
  done < <(\${words[1]} runs list --complete 2>/dev/null </dev/null)
  compadd -d shown -- $found
}

_drydock() {
  local path_= words_ options_ runs_ run_options index
  local -a match candidates
  local do_line='^[[:space:]]*[^[:space:]]+[[:space:]]+do[[:space:]]+(.*)$'
  if [[ $LBUFFER =~ $do_line ]] && _drydock_do "$match[1]"; then return; fi
  _drydock_known ""
  for ((index = 2; index < CURRENT; index++)); do
    if [[ " $words_ " == *" $words[index] "* ]]; then
      path_="\${path_:+$path_ }$words[index]"
      _drydock_known "$path_"
    fi
  done
  if [[ $PREFIX != -* ]] && [[ -n $runs_ || " $run_options " == *" $words[CURRENT-1] "* ]]; then _drydock_runs; return; fi
  if [[ $PREFIX == -* ]]; then candidates=(\${=options_}); else candidates=(\${=words_}); fi
  if (( $#candidates )); then compadd -- $candidates; else _files; fi
}

compdef _drydock drydock
`;
}
