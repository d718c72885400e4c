// Annotating: forms are sent without loading the page anew, time is counted, what is typed is kept, keys move among results.
const study = document.getElementById("study");
const answering = document.getElementById("answering");
const typing = (target) => target.closest?.("input, textarea, select");

// Seconds in which something was done: a minute without a key or a move is a pause.
let [seconds, active] = [0, performance.now()];
for (const name of ["keydown", "pointermove", "pointerdown", "wheel", "scroll"]) addEventListener(name, () => { active = performance.now(); }, { passive: true, capture: true });
setInterval(() => { if (!document.hidden && performance.now() - active < 60_000) seconds += 1; }, 1000);
const spent = () => { const now = seconds; seconds = 0; return now; };
const about = (act, more = {}) => new URLSearchParams({ as: study.dataset.as, id: study.dataset.id, act, ...more });
function tellTime() {
  if (seconds && study.dataset.post) navigator.sendBeacon(study.dataset.post, about("time", { seconds: spent() }));
}
setInterval(tellTime, 20_000);
addEventListener("pagehide", () => { if (waiting) keep(); tellTime(); });

// What is typed is kept at once, so that nothing is lost.
let waiting = 0;
function keep() {
  clearTimeout(waiting);
  waiting = 0;
  if (!study.dataset.post) return;
  const typed = { answer: answering.answer?.value ?? "", question: answering.question?.value ?? "" };
  navigator.sendBeacon(study.dataset.post, about("draft", typed));
}
answering?.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(keep, 600); });
answering?.addEventListener("submit", (event) => {
  if (study.dataset.post) {
    clearTimeout(waiting);
    waiting = 0;
    // The scripts' own count goes with the answer.
    let field = answering.elements.seconds;
    if (!field) { field = Object.assign(document.createElement("input"), { type: "hidden", name: "seconds" }); answering.append(field); }
    field.value = spent();
    window.onbeforeunload = null;
  }
});

// What other forms change is put in place of what was there.
async function send(form, submitter) {
  const body = new URLSearchParams(new FormData(form, submitter));
  body.set("seconds", spent());
  const reply = await fetch(form.action, { method: "POST", body }).catch(() => null);
  if (!reply) return told("The server does not answer. Nothing is lost; try again.");
  const fresh = new DOMParser().parseFromString(await reply.text(), "text/html");
  if (!reply.ok) return told(fresh.querySelector("main")?.textContent.trim() || `${reply.status}`);
  swap(fresh, reply.url);
  const to = form.dataset.to ?? (submitter?.value === "open" ? "reader" : null);
  if (to) document.getElementById(to)?.focus({ preventScroll: true });
  if (form.id === "searching") document.querySelector(".found-page")?.focus({ preventScroll: true });
}
async function show(url) {
  const reply = await fetch(url).catch(() => null);
  if (!reply?.ok) { location.href = url; return; }
  swap(new DOMParser().parseFromString(await reply.text(), "text/html"), url);
  document.querySelector(".found-page[aria-current], .found-page")?.focus({ preventScroll: true });
}
function swap(fresh, url) {
  for (const part of fresh.querySelectorAll("[data-swap]")) document.getElementById(part.id)?.replaceWith(document.adoptNode(part));
  // The forms that stay say what is shown now.
  const bar = fresh.getElementById("searching");
  for (const input of bar?.querySelectorAll("input[type=hidden]") ?? []) {
    const old = document.querySelector(`#searching input[name="${input.name}"]`);
    if (old) old.value = input.value; else document.getElementById("searching").prepend(document.adoptNode(input));
  }
  history.replaceState(null, "", url);
  bringIntoView();
}
function bringIntoView() {
  document.querySelector(".with-page .found-page[aria-current]")?.scrollIntoView({ block: "nearest" });
  const holder = document.querySelector("#reader .holder");
  const mark = holder?.querySelector(".found");
  if (mark) {
    const [box, frame] = [mark.getBoundingClientRect(), holder.getBoundingClientRect()];
    if (box.top > frame.bottom) holder.scrollTop += box.top - frame.top - frame.height / 3;
  }
}
function told(text) {
  const note = Object.assign(document.createElement("div"), { className: "toast", role: "status", textContent: text.replaceAll(/\s+/g, " ").slice(0, 300) });
  document.body.append(note);
  setTimeout(() => note.remove(), 5000);
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form === answering || form.method !== "post" || !study.contains(form)) return;
  event.preventDefault();
  send(form, event.submitter);
});
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-swaps], a[data-key=Escape]");
  if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  show(link.href);
});

// j and k move among the results; / searches.
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || typing(event.target) || document.querySelector("dialog[open]")) return;
  if (event.key === "/") { event.preventDefault(); document.getElementById("q")?.select(); return; }
  const by = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 }[event.key];
  const results = [...document.querySelectorAll(".found-page")];
  const inReader = event.target.closest?.(".holder") && event.key.startsWith("Arrow");
  if (!by || !results.length || inReader) return;
  event.preventDefault();
  let at = results.indexOf(document.activeElement);
  if (at < 0) at = results.findIndex((one) => one.hasAttribute("aria-current"));
  const next = results[Math.max(0, Math.min(results.length - 1, at < 0 ? 0 : at + by))];
  next.focus();
});
bringIntoView();
