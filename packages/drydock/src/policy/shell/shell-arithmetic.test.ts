// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are shell scripts
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkShell } from "./check-shell.ts";

const LIST = { allow: ["ls", "cat", "wc"], deny: [] };
/** What is read is no part of the script that is checked. In bash, the substitution leaves a file. */
const READ = "read x <<< 'a[$(>ran)]'; ";
const READ_ARRAY = "read x <<< '([a[$(>ran)]]=1)'; ";

/** Each runs the substitution in bash 5.2, though nothing but builtins is named. */
const ATTACKS = [
  `${READ}echo $((x))`,
  `${READ}echo $[x]`,
  `${READ}((x))`,
  `${READ}((y = x))`,
  `${READ}y=x; echo $((y))`,
  `${READ}y=$x; z="$y"; echo $((z + 1))`,
  `${READ}let y=x`,
  `${READ}let "y = $x"`,
  `${READ}for ((i = x; i < 1; i++)); do :; done`,
  `${READ}[[ $x -eq 0 ]]`,
  `${READ}[[ 0 -lt x ]]`,
  `${READ}[[ -v $x ]]`,
  `${READ}[ -v "$x" ]`,
  `${READ}test ! -v "$x"`,
  `${READ}o=-v; [ "$o" "$x" ]`,
  "read x <<< '-v a[$(>ran)]'; [ $x ]",
  `${READ}y=abc; echo \${y:x}`,
  `${READ}y=abc; echo \${y:0:$x}`,
  `${READ}y=(1); echo \${y[x]} \${#y[x]}`,
  `${READ}y[x]=1`,
  `${READ}y[$x]=1`,
  `${READ}y=([x]=1)`,
  `${READ}echo \${!x}`,
  `${READ}declare -i y=$x`,
  `${READ}declare -i y; y=$x`,
  "declare -i x; read x <<< 'a[$(>ran)]'",
  `${READ}f() { local -i y=$x; }; f`,
  `${READ_ARRAY}declare -a y=$x`,
  `${READ_ARRAY}declare -a y; declare y=$x`,
  `${READ_ARRAY}y=(1); declare y=$x`,
  `${READ_ARRAY}readonly -a y=$x`,
  "read RANDOM <<< 'a[$(>ran)]'",
  "read OPTIND <<< 'a[$(>ran)]'",
  `${READ}printf -v "$x" 1`,
  `${READ}n="a[x]"; printf -v a[x] 1`,
  "read x <<< '-va[$(>ran)]'; printf \"$x\" 1",
  "read x <<< '-pa[$(>ran)]'; true & wait \"$x\" $!",
  `${READ}a=(1); unset a[x]`,
  `${READ}read a[x] <<< 1`,
  "jobs -x ls>ran",
  "[[ 'a['$'$(>ran)]' =~ .* ]]; echo $((BASH_REMATCH))",
  "read <<< 'a[$(>ran)]'; echo $((REPLY))",
  "x='a['; x+='$(>ran)]'; echo $((x))",
  "for x in 'a['$'$(>ran)]'; do echo $((x)); done",
  "set -- 'a['$'$(>ran)]'; echo $(($1))",
  "f() { echo $(($1)); }; read x <<< 'a[$(>ran)]'; f \"$x\"",
  "mapfile -t x <<< 'a[$(>ran)]'; echo $((x))",
  "getopts a: o -a 'a['$'$(>ran)]'; echo $((OPTARG))",
  "x=$(cat <<< 'a[$(>ran)]'); echo $((x))",
  "echo $(( $(cat <<< 'a[$(>ran)]') ))",
  "trap 'echo $((x))' EXIT; read x <<< 'a[$(>ran)]'",
  `${READ}eval 'echo $((x))'`,
  `${READ}builtin let y=x`,
  `${READ}: \${y:=$x}; echo $((y))`,
  "mkdir '10' 2>&-; ((PATH = 10)); >ran",
  "exec {PATH}>/dev/null; >ran",
];

/** Each runs the substitution in bash 5.2, by names of files, options with their values attached, or quotes that quote nothing. */
const HIDDEN_ATTACKS = [
  "> 'a[$(>ran)]'; let *",
  "> 'a[$(>ran)]'; let ?*",
  "> 'a[$(>ran)]'; let x=1 *",
  "> 'a[$(>ran)]'; let a[[][!x][!x]*",
  "shopt -s extglob\n> 'a[$(>ran)]'; let +(a*)",
  "read -aarr <<< 'a[$(>ran)]'; echo $((arr))",
  "read -raarr <<< 'a[$(>ran)]'; echo $((arr))",
  "read -rd '' -aarr <<< 'a[$(>ran)]'; echo $((arr))",
  "read -aPS4 <<< '$(>ran)'; set -x; :",
  "read x <<< 'a[$(>ran)]'; printf -v z -vy %s \"$x\"; echo $((y))",
  "read x <<< '-va[$(>ran)]'; printf -v y \"$x\" 1",
  "cat <<E\n${x:-'$(>ran)'}\nE",
  "cat <<E\n${x:-$'$(>ran)'}\nE",
  "cat <<E\n${x:-'`>ran`'}\nE",
  "cat <<E\n${x:-${y:-'$(ls>ran)'}}\nE",
  "echo \"${x:-$'$(ls>ran)'}\"",
  "echo \"${x:-$'\\x24(>ran)'}\"",
  "echo \"${x:-$'\\x60>ran\\x60'}\"",
  "echo \"${x:-$'\\x5c'\\$(>ran)}\"",
];

describe("a script that is held to a list", () => {
  it.each(ATTACKS)("calculates with nothing that may hold a command: %s", (script) => {
    const checked = checkShell(LIST, script);
    expect(checked).toMatchObject({ ok: false, reason: expect.stringMatching(/./) });
  });

  it.each(HIDDEN_ATTACKS)("hides no command from the check: %s", (script) => {
    const checked = checkShell(LIST, script);
    expect(checked).toMatchObject({ ok: false, reason: expect.stringMatching(/./) });
  });

  it("would run it otherwise", () => {
    const directory = mkdtempSync(join(tmpdir(), "drydock-arithmetic-"));
    try {
      for (const script of [...ATTACKS.slice(0, 10), ...HIDDEN_ATTACKS]) {
        execFileSync("bash", ["-c", `${script}\ntrue`], { cwd: directory, stdio: "ignore" });
        expect({ script, ran: existsSync(join(directory, "ran")) }).toEqual({ script, ran: true });
        for (const name of readdirSync(directory)) rmSync(join(directory, name));
      }
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it.each([
    "i=0; while ((i < 10)); do ((i++)); echo $i; done",
    "for ((i = 0; i < 3; i++)); do a[i]=$i; done; echo ${a[i]} ${a[@]} ${!a[@]} ${#a[@]}",
    "n=5; m=$n; total=$((n * m + 0x1f)); [[ $total -gt 3 ]] && echo ${total}",
    "for i in 1 2 3 {4..9}; do echo $((i % 2)); done",
    'n=$(wc -l < f); [ "$n" -gt 3 ] && [ $# -eq 0 ] && [ $? -eq 0 ]',
    'printf -v n %d "$(wc -l < f)"; echo $((n + 1))',
    'x=$(cat f); echo "${x:0:3}" "${x:-none}" "${x#a}"; [ "$x" = y ] || [ -n "$x" ] || [ ! "$x" ]',
    'read -r line; [[ $line == a* && -n $line ]] && printf "%s\\n" "$line"',
    'f() { local x=$1; local -i n=3; echo "$x" $((n + ${m:-0})); }; f a',
    "declare -a list=(a b); declare -i n=0; n+=1; list+=(c); echo ${list[1]}",
    "cat f & wait $!; pid=$!; wait $pid; echo $((RANDOM % 6)) $((SECONDS)) $((${#x} + $#))",
    "read -ra list -n3 -d, -t1; mapfile -tn5 list; printf -vx %s y; declare -ax z=1; printf -- '-%s' \"$x\"",
    "echo \"${x//$'\\n'/ }\" \"${x#'a'}\" \"${x:-$(cat '$f' '`')}\"; cat <<E\nit's ${x:-'a'}\nE",
    "[ $unset ] || [ $unset -eq 3 ]; n=3; [ $n ]",
    "let i=1 'i += 2'; echo $((i << 2 | 1)); exec {fd}>log; echo $((fd))",
  ])("calculates with numbers: %s", (script) => {
    expect(checkShell(LIST, script)).toEqual({ ok: true });
  });

  it("may calculate with anything where every command is allowed", () => {
    for (const script of ["[[ $(wc -l < f) -gt 3 ]]", "[ $x = y ]", 'printf "$x"', "echo $((x)) ${!x}"])
      expect(checkShell({ allow: ["*"], deny: [] }, script)).toEqual({ ok: true });
  });
});
