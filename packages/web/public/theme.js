// Schemas are read without making functions of texts, which the page's policy forbids, and would report.
globalThis.__zod_globalConfig = { jitless: true };

// Before anything is painted: the theme and the language that were chosen, so that nothing flashes.
try {
  const theme = localStorage.getItem("drydock.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  const language = localStorage.getItem("drydock.language");
  if (language) document.documentElement.lang = language;
} catch {
  // Without storage the system's choice holds.
}
