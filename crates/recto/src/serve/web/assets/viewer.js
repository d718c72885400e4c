// The document viewer: words over pictures when they come into view, zoom, find, marks, links to selected words, keys.
const viewer = document.getElementById("viewer");
const body = viewer.querySelector(".viewer-body");
const pages = viewer.querySelector(".pages");
const leaves = [...viewer.querySelectorAll(".leaf")];
const go = document.getElementById("go");
const about = document.getElementById("about");
const zooms = [0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3];
const typing = (target) => target.closest("input, textarea, select");
const state = { current: leaves.find((leaf) => leaf.dataset.n === viewer.dataset.page) ?? leaves[0], zoom: 1, find: viewer.dataset.find ?? "" };

const ask = async (url) => {
  const reply = await fetch(url);
  return reply.ok ? reply.text() : `<p class="note bad">${reply.status}: this could not be loaded.</p>`;
};

// Words, marks and drawings of a page.
async function dress(leaf, again = false) {
  if (leaf.dataset.dressed && !again) return;
  leaf.dataset.dressed = "1";
  const url = new URL(leaf.dataset.layer, location.href);
  if (state.find) url.searchParams.set("find", state.find);
  if (leaf.dataset.mark) url.searchParams.set("mark", leaf.dataset.mark);
  const svg = await fetch(url).then((reply) => (reply.ok ? reply.text() : ""), () => "");
  leaf.querySelectorAll(".sheet > svg").forEach((old) => old.remove());
  leaf.querySelector(".sheet").insertAdjacentHTML("beforeend", svg);
}

// A sharper picture where the page is shown larger than it was drawn.
function sharpen(leaf) {
  const picture = leaf.querySelector("img");
  if (!picture || !leaf.dataset.image) return;
  const wanted = (72 * leaf.clientWidth * devicePixelRatio) / Number(leaf.dataset.width);
  const dpi = [110, 144, 200, 288].find((dpi) => dpi >= wanted * 0.95) ?? 288;
  if (dpi <= Number(leaf.dataset.dpi)) return;
  leaf.dataset.dpi = dpi;
  const sharp = new Image();
  sharp.onload = () => { picture.src = sharp.src; };
  sharp.src = leaf.dataset.image.replace("dpi=110", `dpi=${dpi}`);
}

const near = new IntersectionObserver((seen) => {
  for (const { target, isIntersecting } of seen) if (isIntersecting) { dress(target); sharpen(target); }
}, { rootMargin: "60% 0px" });
leaves.forEach((leaf) => near.observe(leaf));
viewer.addEventListener("error", ({ target: picture }) => {
  if (!picture.matches?.(".sheet > img") || picture.hidden) return;
  const sheet = picture.parentElement;
  sheet.style.aspectRatio = `${picture.getAttribute("width")} / ${picture.getAttribute("height")}`;
  picture.hidden = true;
  const why = "There is no picture of this page. Its words, if it has any, are under “About”.";
  sheet.append(Object.assign(document.createElement("p"), { className: "not-drawn", textContent: why }));
}, true);

// Which page is read: the last one that begins above the middle of the window.
function settle() {
  const middle = innerHeight * 0.45;
  const current = leaves.findLast((leaf) => leaf.getBoundingClientRect().top < middle) ?? leaves[0];
  if (current !== state.current) turned(current);
}
let waiting = 0;
addEventListener("scroll", () => { waiting ||= requestAnimationFrame(() => { waiting = 0; settle(); }); }, { passive: true });

function turned(leaf) {
  state.current = leaf;
  go.value = leaf.dataset.n;
  history.replaceState(null, "", leaf.dataset.mark ? leaf.dataset.here : leaf.dataset.here.split("?")[0]);
  viewer.querySelectorAll(".thumbs [aria-current]").forEach((thumb) => thumb.removeAttribute("aria-current"));
  const thumb = viewer.querySelector(`.thumbs [data-n="${leaf.dataset.n}"]`);
  thumb?.setAttribute("aria-current", "page");
  thumb?.scrollIntoView({ block: "nearest" });
  tell();
}

async function tell() {
  if (!body.classList.contains("with-about") || about.dataset.n === state.current.dataset.n) return;
  about.dataset.n = state.current.dataset.n;
  about.querySelector(".told").innerHTML = await ask(state.current.dataset.about);
}

// Opens a page: at its first mark, or so far down as `top` says.
function show(n, mark = true, top = null) {
  const leaf = leaves.find((leaf) => leaf.dataset.n === String(n));
  if (!leaf) return;
  turned(leaf);
  dress(leaf).then(() => {
    const target = (mark && leaf.querySelector(".found, .mark")) || null;
    if (!target && top === null) return leaf.scrollIntoView();
    const bar = Math.min(innerHeight / 3, viewer.querySelector(".viewer-bar").getBoundingClientRect().bottom);
    const sheet = leaf.querySelector(".sheet").getBoundingClientRect();
    const at = (top === null ? target.getBoundingClientRect().top : sheet.top + top * sheet.height) + scrollY;
    scrollTo({ top: Math.max(at - Math.max(innerHeight * 0.3, bar + 60), leaf.getBoundingClientRect().top + scrollY - bar - 24) });
  });
}

// What is in the middle of the window stays there while pages become larger or smaller.
function staying(change) {
  const leaf = state.current;
  const place = () => leaf.getBoundingClientRect();
  const within = (innerHeight / 2 - place().top) / place().height;
  change();
  scrollTo({ top: scrollY + place().top + within * place().height - innerHeight / 2, behavior: "instant" });
  leaves.filter((leaf) => leaf.dataset.dressed).forEach(sharpen);
}

function zoom(to) {
  state.zoom = Math.min(3, Math.max(0.5, to));
  staying(() => pages.style.setProperty("--zoom", state.zoom));
  document.getElementById("zoom-now").textContent = `${Math.round(state.zoom * 100)} %`;
}
const step = (by) => zoom(by > 0 ? zooms.find((z) => z > state.zoom + 0.01) ?? 3 : zooms.findLast((z) => z < state.zoom - 0.01) ?? 0.5);

// Find in the document.
const finding = document.getElementById("find");
async function find(words) {
  state.find = words.trim();
  const url = new URL(finding.action, location.href);
  url.searchParams.set("find", state.find);
  document.getElementById("found").innerHTML = state.find ? await ask(url) : "";
  await Promise.all(leaves.filter((leaf) => leaf.dataset.dressed).map((leaf) => dress(leaf, true)));
  const first = document.querySelector("#found a");
  if (first) show(first.dataset.n);
}
finding.addEventListener("submit", (event) => { event.preventDefault(); find(finding.find.value); });

const pressed = { words: "show-words", blocks: "show-blocks", order: "show-order" };
const actions = {
  next: () => show(Number(state.current.dataset.n) + 1, false),
  previous: () => show(Number(state.current.dataset.n) - 1, false),
  larger: () => step(1),
  smaller: () => step(-1),
  fit: () => zoom(1),
  rail: () => staying(() => {
    const aside = matchMedia("(max-width: 60rem)").matches;
    body.classList.toggle(aside ? "with-rail" : "no-rail");
    if (aside) body.classList.remove("with-about");
  }),
  about: () => staying(() => { body.classList.toggle("with-about"); body.classList.remove("with-rail"); tell(); }),
  keys: () => document.getElementById("keys").showModal(),
};
for (const name of Object.keys(pressed)) actions[name] = () => viewer.classList.toggle(pressed[name]);
function act(name) {
  actions[name]?.();
  viewer.querySelectorAll("[data-act][aria-pressed]").forEach((button) => {
    const on = { ...Object.fromEntries(Object.entries(pressed).map(([k, v]) => [k, viewer.classList.contains(v)])), about: body.classList.contains("with-about") };
    button.setAttribute("aria-pressed", String(Boolean(on[button.dataset.act])));
  });
}
viewer.addEventListener("click", (event) => {
  const button = event.target.closest("[data-act]");
  if (button) return act(button.dataset.act);
  const tab = event.target.closest("[role=tab]");
  if (tab) return open(tab);
  const link = event.target.closest("a[data-n]");
  if (link && !event.metaKey && !event.ctrlKey && !event.shiftKey && leaves.some((leaf) => leaf.dataset.n === link.dataset.n)) {
    event.preventDefault();
    body.classList.remove("with-rail");
    show(link.dataset.n, false, link.dataset.top ? Number(link.dataset.top) : null);
  }
});
function open(tab) {
  viewer.querySelectorAll("[role=tab]").forEach((other) => {
    other.setAttribute("aria-selected", String(other === tab));
    other.tabIndex = other === tab ? 0 : -1;
    document.getElementById(other.getAttribute("aria-controls")).hidden = other !== tab;
  });
}
viewer.querySelector("[role=tablist]").addEventListener("keydown", (event) => {
  const tabs = [...viewer.querySelectorAll("[role=tab]")];
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!by) return;
  const next = tabs[(tabs.indexOf(event.target) + by + tabs.length) % tabs.length];
  open(next);
  next.focus();
  event.stopPropagation();
});
// Whoever has typed a page goes on there, by keys too.
go.form.addEventListener("submit", (event) => { event.preventDefault(); jump()?.focus({ preventScroll: true }); });
go.addEventListener("change", jump);
function jump() {
  const wanted = go.value.trim();
  const leaf = leaves.find((leaf) => leaf.dataset.n === wanted) ?? leaves.find((leaf) => leaf.dataset.label === wanted);
  if (leaf) show(leaf.dataset.n, false); else go.value = state.current.dataset.n;
  return leaf;
}

const keys = { n: "next", j: "next", ArrowRight: "next", p: "previous", k: "previous", ArrowLeft: "previous", "+": "larger", "=": "larger", "-": "smaller", 0: "fit", t: "rail", i: "about", w: "words", b: "blocks", o: "order", "?": "keys" };
addEventListener("keydown", (event) => {
  if (event.key === "Escape" && typing(event.target)) return event.target.blur();
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target) || document.querySelector("dialog[open]")) return;
  if (event.key === "/") {
    event.preventDefault();
    body.classList.remove("no-rail");
    if (matchMedia("(max-width: 60rem)").matches) body.classList.add("with-rail");
    open(document.getElementById("tab-find"));
    return finding.find.focus();
  }
  if (event.key === "g") { event.preventDefault(); return go.select(); }
  if (event.key === "Escape") { body.classList.remove("with-rail", "with-about"); return; }
  if (keys[event.key]) { event.preventDefault(); act(keys[event.key]); }
});

// A link that marks the selected words.
const pops = document.getElementById("pops");
let choosing = 0;
document.addEventListener("selectionchange", () => {
  clearTimeout(choosing);
  if (getSelection().isCollapsed) pops.hidden = true; else choosing = setTimeout(offer, 250);
});
function offer() {
  const chosen = getSelection();
  const leaf = chosen.isCollapsed ? null : chosen.anchorNode?.parentElement?.closest(".leaf");
  const regions = leaf ? regionsOf(chosen.getRangeAt(0), leaf) : [];
  if (!regions.length) return;
  pops.dataset.url = new URL(`${leaf.dataset.here.split("?")[0]}?mark=${regions.map((r) => r.map((v) => v.toFixed(4)).join(",")).join(";")}`, location.href).href;
  const last = chosen.getRangeAt(0).getBoundingClientRect();
  pops.hidden = false;
  pops.style.left = `${scrollX + Math.max(8, last.left)}px`;
  pops.style.top = `${scrollY + last.bottom + 6}px`;
}
function regionsOf(range, leaf) {
  const sheet = leaf.querySelector(".sheet").getBoundingClientRect();
  const regions = [];
  for (const span of leaf.querySelectorAll(".words tspan")) {
    if (!range.intersectsNode(span) || !span.textContent.trim()) continue;
    const box = span.getBoundingClientRect();
    const region = [(box.left - sheet.left) / sheet.width, (box.top - sheet.top) / sheet.height, (box.right - sheet.left) / sheet.width, (box.bottom - sheet.top) / sheet.height];
    const last = regions.at(-1);
    const joins = last && Math.abs(last[1] - region[1]) < 0.004 && region[0] - last[2] < 0.03 && region[0] > last[0];
    if (joins) last[2] = region[2]; else regions.push(region);
  }
  return regions;
}
pops.querySelector("button").addEventListener("click", async () => {
  pops.hidden = true;
  try { await navigator.clipboard.writeText(pops.dataset.url); toast("Link copied: it opens this page with these words marked."); } catch { prompt("Link to these words", pops.dataset.url); }
});
function toast(text) {
  const told = Object.assign(document.createElement("div"), { className: "toast", role: "status", textContent: text });
  document.body.append(told);
  setTimeout(() => told.remove(), 4000);
}

if (state.find || viewer.dataset.page !== "1" || state.current?.dataset.mark) show(viewer.dataset.page);
