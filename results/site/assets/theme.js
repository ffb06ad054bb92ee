// Sets the theme before the first paint; the choice stands in the URL and is remembered where the browser allows it.
(() => {
  let theme = new URLSearchParams(location.search).get("theme");
  try {
    theme ??= localStorage.getItem("theme");
  } catch {
    theme ??= ""; // a browser that keeps nothing for local files
  }
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
})();
