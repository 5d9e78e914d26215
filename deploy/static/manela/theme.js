/* Light or dark: the visitor's choice wins over the system's. Loaded before the page is painted. */
(() => {
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const stored = () => {
    try {
      return localStorage.getItem("theme");
    } catch {
      return null; // storage may be forbidden; the choice then lasts for this page
    }
  };
  const keep = (theme) => {
    try {
      localStorage.setItem("theme", theme);
    } catch {
      // as above
    }
  };
  const shown = () => root.dataset.theme || (system.matches ? "dark" : "light");

  const chosen = stored();
  if (chosen === "light" || chosen === "dark") root.dataset.theme = chosen;

  document.addEventListener("DOMContentLoaded", () => {
    const button = document.querySelector("[data-theme-toggle]");
    const tell = () => button.setAttribute("aria-pressed", String(shown() === "dark"));
    button.hidden = false;
    tell();
    system.addEventListener("change", tell);
    button.addEventListener("click", () => {
      root.dataset.theme = shown() === "dark" ? "light" : "dark";
      keep(root.dataset.theme);
      tell();
    });
  });
})();
