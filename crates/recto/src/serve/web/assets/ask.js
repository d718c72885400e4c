// Asking: steps as they happen, then the answer; the cited page beside it with its words marked.
const form = document.getElementById("asking");
const place = document.getElementById("told");

function append(list, text) {
  const item = Object.assign(document.createElement("li"), { textContent: text });
  list.append(item);
  return item;
}

async function* events(stream) {
  let text = "";
  for await (const part of stream.pipeThrough(new TextDecoderStream())) {
    text += part.replaceAll("\r\n", "\n");
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const lines = text.slice(0, end).split("\n");
      text = text.slice(end + 2);
      const of = (field) => lines.filter((line) => line.startsWith(`${field}:`)).map((line) => line.slice(field.length + 1).replace(/^ /, "")).join("\n");
      if (of("event") || of("data")) yield { name: of("event") || "message", data: of("data") };
    }
  }
}

async function asked(event) {
  const question = form.q.value.trim();
  if (!question) { event.preventDefault(); return; }
  event.preventDefault();
  const url = new URL(form.dataset.live, location.href);
  for (const [name, value] of new FormData(form)) if (value) url.searchParams.set(name, value);
  document.getElementById("home")?.classList.remove("home");
  document.getElementById("greeting")?.remove();
  const button = form.querySelector("button");
  button.disabled = true;
  place.innerHTML = '<div class="narrow"><ol class="steps" aria-busy="true" aria-live="polite"></ol></div>';
  const steps = place.querySelector(".steps");
  append(steps, "Asked");
  let reading = null;
  try {
    const reply = await fetch(url, { method: "POST", headers: { accept: "text/event-stream" } });
    if (!reply.ok || !reply.headers.get("content-type")?.startsWith("text/event-stream")) throw new Error(await told(reply));
    for await (const { name, data } of events(reply.body)) {
      if (name === "step") { append(steps, data); reading = null; }
      if (name === "reading") { reading ??= append(steps, ""); reading.textContent = data; }
      if (name === "answer") { place.innerHTML = data; kept(); }
      if (name === "error") place.innerHTML = data;
    }
  } catch (error) {
    const note = Object.assign(document.createElement("p"), { className: "note bad narrow", textContent: error.message || "The server does not answer." });
    place.replaceChildren(note);
  }
  steps.removeAttribute("aria-busy");
  button.disabled = false;
}

async function told(reply) {
  try { const { error } = await reply.json(); return `${error.message}; ${error.next_step}`; } catch { return `The server answered ${reply.status} ${reply.statusText}.`; }
}

function kept() {
  const answer = place.querySelector("[data-permanent]");
  const to = answer?.dataset.permanent;
  if (to) history.pushState(null, "", to);
  document.title = `${form.q.value} – recto`;
  answer?.focus({ preventScroll: true });
  sharpen();
}

// A citation opens beside the answer where there is room, else as a page of its own.
async function opened(event) {
  const cite = event.target.closest(".cite");
  const pane = document.getElementById("pane");
  if (!cite || !pane || event.metaKey || event.ctrlKey || event.shiftKey || !matchMedia("(min-width: 60.01rem)").matches) return;
  event.preventDefault();
  document.querySelectorAll(".cite[aria-current]").forEach((other) => other.removeAttribute("aria-current"));
  cite.setAttribute("aria-current", "true");
  const reply = await fetch(cite.dataset.pane);
  if (!reply.ok) { location.href = cite.href; return; }
  pane.innerHTML = await reply.text();
  sharpen();
}

// Brings the marked words into the pane's view.
function sharpen() {
  const holder = document.querySelector("#pane .holder");
  const mark = holder?.querySelector(".mark");
  if (!mark) return;
  const [box, frame] = [mark.getBoundingClientRect(), holder.getBoundingClientRect()];
  if (box.bottom > frame.bottom || box.top < frame.top) holder.scrollTop += box.top - frame.top - frame.height / 3;
}

form.addEventListener("submit", asked);
document.addEventListener("click", opened);
form.q.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); form.requestSubmit(); }
});
addEventListener("popstate", () => location.reload());

// The answer with its citations as text, or the address that shows it.
async function copied(event) {
  const what = event.target.closest("[data-copy]")?.dataset.copy;
  if (!what) return;
  const cites = [...document.querySelectorAll(".cite")].map((cite, at) => {
    const quote = cite.querySelector("q")?.textContent;
    return `${at + 1}. ${cite.querySelector(".where").textContent}${quote ? `: “${quote}”` : ""}${cite.href ? `\n   ${cite.href}` : ""}`;
  });
  const text = what === "link" ? location.href : [form.q.value, document.querySelector(".answer .text").textContent, ...cites].join("\n");
  try { await navigator.clipboard.writeText(text); toast(what === "link" ? "Link copied: it shows this answer and asks nothing." : "Copied, with its citations."); }
  catch { prompt("To be copied", text); }
}
function toast(text) {
  const told = Object.assign(document.createElement("div"), { className: "toast", role: "status", textContent: text });
  document.body.append(told);
  setTimeout(() => told.remove(), 4000);
}
document.addEventListener("click", copied);
sharpen();
if (form.dataset.now) form.requestSubmit();
