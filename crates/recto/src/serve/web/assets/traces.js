// Traces: steps in full when they come into view, a strip that leads to each, larger pictures.
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const large = document.getElementById("large");

const loading = new Map();
function load(part) {
  if (!part.dataset.url) return Promise.resolve();
  if (!loading.has(part)) loading.set(part, fill(part));
  return loading.get(part);
}
async function fill(part) {
  const reply = await fetch(part.dataset.url).catch(() => null);
  near.unobserve(part);
  if (reply?.ok) {
    part.innerHTML = await reply.text();
    delete part.dataset.url;
  } else {
    loading.delete(part);
    part.append(Object.assign(document.createElement("p"), { className: "note bad", textContent: "These steps could not be loaded; scroll here again to try once more." }));
    setTimeout(() => near.observe(part), 3000);
  }
}
const near = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) if (isIntersecting) load(target);
}, { rootMargin: "600px 0px" });
all(".part[data-url]").forEach((part) => near.observe(part));

async function go(side, step) {
  const list = document.querySelector(`.steps-list[data-side="${side}"]`);
  const part = all(".part", list).find((one) => Number(one.dataset.first) <= step && step <= Number(one.dataset.last));
  if (!part) return;
  await load(part);
  const article = document.getElementById(`${side}${step}`);
  article?.scrollIntoView({ block: "start" });
  article?.focus({ preventScroll: true });
  // What comes in above moves it: once more when that has settled.
  setTimeout(() => article?.scrollIntoView({ block: "start" }), 250);
}

document.addEventListener("click", (event) => {
  const strip = event.target.closest(".strip");
  if (strip) {
    const box = strip.getBoundingClientRect();
    const n = Number(strip.dataset.n);
    return void go(strip.dataset.side, Math.min(n - 1, Math.floor(((event.clientX - box.left) / box.width) * n)));
  }
  const picture = event.target.closest("a.picture");
  if (picture && !event.metaKey && !event.ctrlKey && !event.shiftKey) {
    event.preventDefault();
    const image = large.querySelector("img");
    image.src = picture.dataset.large;
    image.alt = picture.querySelector("img").alt;
    large.querySelector("a").href = picture.href;
    large.showModal();
  } else if (event.target === large) large.close();
});
document.addEventListener("submit", (event) => {
  const form = event.target.closest(".jump");
  if (!form) return;
  event.preventDefault();
  form.step.blur();
  go(form.dataset.side, Number(form.step.value) - 1);
});

// j and k: the next step, the step before, of the trace that is looked at.
addEventListener("keydown", (event) => {
  const by = { j: 1, k: -1 }[event.key];
  if (!by || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select") || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  const side = event.target.closest?.(".trace")?.querySelector(".steps-list").dataset.side ?? "a";
  const current = event.target.closest?.(".step");
  const step = current ? Number(current.dataset.step) + by : 0;
  go(side, Math.max(0, step));
});
const asked = location.hash.match(/^#([ab])(\d+)$/);
if (asked) go(asked[1], Number(asked[2]));
