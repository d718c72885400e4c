// Keys that press what says so: data-key names the key of a link, a button or a field; j and k go from one data-stop to the
// next. What is hidden is not pressed.
const typing = (target) => target.closest?.("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]");
const seen = (element) => element.getClientRects().length > 0;

addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.isComposing || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
  const name = event.ctrlKey ? `Ctrl+${event.key}` : event.key;
  if (typing(event.target) && !event.ctrlKey) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  if (name === "?") {
    const keys = document.getElementById("keys");
    if (keys) { event.preventDefault(); keys.showModal(); }
    return;
  }
  const step = { j: 1, k: -1 }[name];
  const stops = step ? [...document.querySelectorAll("[data-stop]")].filter(seen) : [];
  if (stops.length) {
    event.preventDefault();
    const at = stops.indexOf(document.activeElement);
    return stops[Math.min(Math.max(at < 0 ? (step > 0 ? 0 : stops.length - 1) : at + step, 0), stops.length - 1)].focus();
  }
  const found = [...document.querySelectorAll("[data-key]")].filter((one) => one.dataset.key === name).find(seen);
  if (!found) return;
  event.preventDefault();
  if (typing(found)) { found.focus(); found.select?.(); } else found.click();
});
const offer = document.querySelector(".keys-button");
if (offer) offer.hidden = !document.getElementById("keys");
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-act=keys]")) document.getElementById("keys")?.showModal();
});
