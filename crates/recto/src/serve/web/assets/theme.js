// Light or dark before the first paint, and the button that changes it.
const kept = localStorage.getItem("theme");
if (kept) document.documentElement.dataset.theme = kept;
addEventListener("DOMContentLoaded", () => {
  const button = document.getElementById("theme");
  button?.addEventListener("click", () => {
    const dark = getComputedStyle(document.documentElement).colorScheme === "dark" ||
      (!document.documentElement.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
    document.documentElement.dataset.theme = dark ? "light" : "dark";
    localStorage.setItem("theme", dark ? "light" : "dark");
  });
  const back = document.querySelector("[data-act=back]");
  if (back) { back.hidden = history.length < 2; back.addEventListener("click", () => history.back()); }
  document.getElementById("collection")?.addEventListener("change", (event) => { location.href = event.target.value; });
});
