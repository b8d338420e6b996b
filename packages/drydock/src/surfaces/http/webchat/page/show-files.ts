import type { ChatFile } from "./frames.ts";
import { make } from "./make.ts";

/** What a browser shows without running anything of it. */
const PICTURES = ["image/png", "image/jpeg", "image/gif", "image/webp"];
const MAX_PICTURE_BYTES = 5 * 1024 * 1024;

/** Files of an answer: pictures are shown, and everything can be saved. They are fetched with the visitor's token. */
export function showFiles(files: readonly ChatFile[], load: (id: string) => Promise<Blob>): HTMLElement {
  return make("div", { className: "files" }, ...files.map((file) => showFile(file, load)));
}

function showFile({ id, name, mime, size }: ChatFile, load: (id: string) => Promise<Blob>): HTMLElement {
  const button = make("button", { className: "file", type: "button" }, `${name} (${describeSize(size)})`);
  button.addEventListener("click", async () => {
    button.disabled = true;
    await load(id)
      .then((blob) => save(blob, name))
      .catch(() => button.classList.add("broken"));
    button.disabled = false;
  });
  if (!PICTURES.includes(mime) || size > MAX_PICTURE_BYTES) return button;
  const picture = make("img", { alt: name, hidden: true });
  load(id).then(
    (blob) => {
      picture.src = URL.createObjectURL(new Blob([blob], { type: mime }));
      picture.hidden = false;
    },
    () => {},
  );
  return make("div", { className: "picture" }, picture, button);
}

function save(blob: Blob, name: string): void {
  const href = URL.createObjectURL(blob);
  make("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

export function describeSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
