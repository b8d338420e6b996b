/** Puts a button into a page of another site that opens the chat, in a frame: neither can read or change the other. */
const script = document.currentScript as HTMLScriptElement | null;
const address = script?.src.replace(/\/embed\.js(?:[?#].*)?$/, "");

function open(page: string): void {
  const frame = document.createElement("iframe");
  const button = document.createElement("button");
  const place = "position:fixed;right:20px;z-index:2147483000;border:0;";
  Object.assign(frame, { src: page, title: "Chat", hidden: true, referrerPolicy: "no-referrer", loading: "lazy" });
  frame.style.cssText = `${place}bottom:84px;width:min(400px,calc(100vw - 40px));height:min(600px,calc(100vh - 110px));border-radius:12px;box-shadow:0 8px 30px #0004;background:#fff`;
  button.style.cssText = `${place}bottom:20px;width:52px;height:52px;border-radius:26px;background:#1f4fd8;color:#fff;font:24px/1 system-ui,sans-serif;cursor:pointer;box-shadow:0 4px 14px #0004`;
  button.type = "button";
  button.setAttribute("aria-expanded", "false");
  const show = (isShown: boolean) => {
    frame.hidden = !isShown;
    button.textContent = isShown ? "×" : "…";
    button.setAttribute("aria-label", isShown ? "Close the chat" : "Open the chat");
    button.setAttribute("aria-expanded", String(isShown));
  };
  button.addEventListener("click", () => show(frame.hidden === true));
  show(false);
  document.body.append(frame, button);
}

if (address) {
  if (document.body) open(address);
  else document.addEventListener("DOMContentLoaded", () => open(address));
}
