import type { Frame, Said } from "./frames.ts";
import { make } from "./make.ts";
import { openLine } from "./open-line.ts";
import { renderText } from "./render-text.ts";
import { describeSize, showFiles } from "./show-files.ts";
import { chooseWords } from "./words.ts";

/*
 * The page of a chat. What was said is a list of elements; the answer that is being written is the last of them, and its
 * place is taken by the complete message.
 */
const { language, words } = chooseWords(navigator.languages);
document.documentElement.lang = language;

const title = make("h1");
const list = make("ol", { className: "said" });
list.setAttribute("role", "log");
list.setAttribute("aria-live", "polite");
const notice = make("p", { className: "notice", textContent: words.connecting });
notice.setAttribute("role", "status");
const input = make("textarea", { rows: 1, maxLength: 10_000, placeholder: words.write });
input.setAttribute("aria-label", words.write);
const picker = make("input", { type: "file", multiple: true, hidden: true });
const attach = make("button", { type: "button", className: "attach", title: words.attach, textContent: "+" });
attach.setAttribute("aria-label", words.attach);
const chosen = make("ul", { className: "chosen" });
const stop = make("button", { type: "button", className: "stop", textContent: words.stop, hidden: true });
const send = make("button", { type: "submit", textContent: words.send });
const form = make("form", {}, chosen, picker, attach, input, stop, send);
document.body.append(make("header", {}, title), make("main", {}, list), notice, form);

let files: File[] = [];
let draft: { element: HTMLElement; text: string } | null = null;
let isOpen = false;

const line = openLine(location.href.replace(/[?#].*$/, "").replace(/\/$/, ""), { frame: take, state: showState });

function take(frame: Frame): void {
  const isAtEnd = list.parentElement !== null && isScrolledDown(list.parentElement);
  switch (frame.type) {
    case "ready":
      document.title = title.textContent = frame.title;
      attach.hidden = !frame.files;
      showHistory(frame.history, frame.greeting);
      break;
    case "reset":
      showHistory(frame.history, null);
      break;
    case "message":
      if (frame.from === "visitor" && findOwn(frame)) return;
      if (frame.from === "agent") endDraft();
      list.append(showSaid(frame));
      break;
    case "working":
      showNotice(words.working);
      stop.hidden = false;
      break;
    case "delta":
      write(frame.text);
      break;
    case "ended":
      endDraft(true);
      stop.hidden = true;
      showNotice(frame.ok ? "" : words.failed);
  }
  if (isAtEnd) list.parentElement?.scrollTo({ top: list.scrollHeight });
}

function showHistory(history: readonly Said[], greeting: string | null): void {
  // What could not be sent yet is in no record but here.
  const unsent = [...list.querySelectorAll<HTMLElement>(".unsent")];
  draft = null;
  stop.hidden = true;
  const first: Said[] = greeting === null ? [] : [{ from: "agent", event: "", text: greeting, files: [] }];
  list.replaceChildren(...[...first, ...history].map(showSaid), ...unsent);
  showNotice("");
}

function showSaid({ from, event, text, files: own }: Said): HTMLLIElement {
  const item = make("li", { className: from }, from === "agent" ? renderText(text) : make("div", {}, text));
  item.dataset.event = event;
  if (own.length > 0 && from === "agent") item.append(showFiles(own, line.load));
  if (own.length > 0 && from === "visitor")
    item.append(
      make("small", { textContent: own.map(({ name, size }) => `${name} (${describeSize(size)})`).join(", ") }),
    );
  return item;
}

/** The message that this page has sent itself, and shows already. */
function findOwn({ event, text }: Said): boolean {
  const all = [...list.querySelectorAll<HTMLElement>("li.visitor")];
  if (all.some(({ dataset }) => dataset.event === event)) return true;
  const waiting = all.find(({ dataset }) => dataset.event === "" && dataset.text === text);
  if (waiting) waiting.dataset.event = event;
  return waiting !== undefined;
}

function write(text: string): void {
  draft ??= { element: list.appendChild(make("li", { className: "agent draft" })), text: "" };
  draft.text += text;
  draft.element.replaceChildren(renderText(draft.text));
  showNotice("");
}

/** What was shown of an answer stays where no message came of it. */
function endDraft(keeps = false): void {
  if (!keeps) draft?.element.remove();
  draft?.element.classList.remove("draft");
  draft = null;
}

function showState(state: "open" | "closed" | "gone"): void {
  isOpen = state === "open";
  send.disabled = !isOpen;
  if (state !== "open") showNotice(state === "gone" ? words.gone : words.connecting);
}

function showNotice(text: string): void {
  notice.textContent = text;
}

async function post(item: HTMLElement, body: FormData): Promise<void> {
  item.classList.remove("broken");
  try {
    const event = await line.post(body);
    // What the server told of it meanwhile, in a form that was not recognized, is the same message.
    for (const other of list.querySelectorAll<HTMLElement>("li.visitor"))
      if (other !== item && other.dataset.event === event) other.remove();
    item.dataset.event = event;
    item.classList.remove("unsent");
  } catch (error) {
    item.classList.add("broken");
    item.title = words.notSent;
    showNotice((error as Error).message || words.notSent);
    item.addEventListener("click", () => void post(item, body), { once: true });
  }
}

function submit(): void {
  const text = input.value;
  if ((text.trim() === "" && files.length === 0) || !isOpen) return;
  const body = new FormData();
  const id = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  body.set("id", id);
  body.set("text", text);
  for (const file of files) body.append("file", file);
  const own = files.map(({ name, type, size }) => ({ id: "", name, mime: type, size }));
  const item = showSaid({ from: "visitor", event: "", text, files: own });
  item.classList.add("unsent");
  item.dataset.text = text;
  list.append(item);
  list.parentElement?.scrollTo({ top: list.scrollHeight });
  [input.value, files] = ["", []];
  showChosen();
  grow();
  void post(item, body);
}

function showChosen(): void {
  chosen.replaceChildren(
    ...files.map((file) => {
      const remove = make("button", { type: "button", textContent: "×" });
      remove.addEventListener("click", () => {
        files = files.filter((each) => each !== file);
        showChosen();
      });
      return make("li", {}, `${file.name} (${describeSize(file.size)}) `, remove);
    }),
  );
}

function grow(): void {
  input.rows = Math.min(8, input.value.split("\n").length);
}

function isScrolledDown({ scrollTop, clientHeight, scrollHeight }: HTMLElement): boolean {
  return scrollTop + clientHeight > scrollHeight - 60;
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  submit();
});
input.addEventListener("input", grow);
input.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  submit();
});
attach.addEventListener("click", () => picker.click());
picker.addEventListener("change", () => {
  files = [...files, ...(picker.files ?? [])].slice(0, 5);
  picker.value = "";
  showChosen();
});
stop.addEventListener("click", () => line.stop());
