import { useWords } from "../../words/words.ts";

const IS_MAC = navigator.platform.startsWith("Mac");
const MOD = IS_MAC ? "⌘" : "Ctrl";
const KEYS = [
  { keys: ["⇧ ↵"], word: "play.keyRun" },
  { keys: [`${MOD} ↵`], word: "play.keyStay" },
  { keys: [IS_MAC ? "⌥ ↵" : "Alt ↵"], word: "play.keyInsert" },
  { keys: ["Esc"], word: "play.keyLeave" },
  { keys: ["↵"], word: "play.keyEdit" },
  { keys: ["j", "k"], word: "play.keyMove" },
  { keys: ["a", "b"], word: "play.keyAdd" },
  { keys: ["d d"], word: "play.keyDelete" },
] as const;

export function KeyHelp() {
  const { t } = useWords();
  return (
    <ul className="flex flex-col gap-1.5 text-soft text-xs">
      {KEYS.map(({ keys, word }) => (
        <li key={word} className="flex items-center gap-2">
          <span className="flex w-16 shrink-0 gap-1">
            {keys.map((key) => (
              <kbd key={key} className="key">
                {key}
              </kbd>
            ))}
          </span>
          {t(word)}
        </li>
      ))}
    </ul>
  );
}
