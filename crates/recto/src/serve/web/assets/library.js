// The library: files dropped or chosen are sent, the running job is shown, the list is narrowed.
const drop = document.getElementById("drop");
const files = document.getElementById("files");
const sent = document.getElementById("sent");
const job = document.getElementById("job");

const line = (text, kind = "") => {
  const item = Object.assign(document.createElement("li"), { textContent: text, className: kind });
  sent.append(item);
  return item;
};

async function why(reply) {
  try { const { error } = await reply.json(); return `${error.message}; ${error.next_step}`; } catch { return `${reply.status} ${reply.statusText}`; }
}

async function send(chosen) {
  for await (const [name, file] of chosen) {
    const item = line(`${name}: sending …`);
    const form = new FormData();
    form.append(drop.dataset.form, file, name);
    try {
      const reply = await fetch(drop.dataset.upload, { method: drop.dataset.method, body: form });
      item.textContent = reply.ok ? `${name}: received` : `${name}: ${await why(reply)}`;
      item.className = reply.ok ? "" : "note bad";
    } catch { item.textContent = `${name}: the server does not answer`; item.className = "note bad"; }
  }
  watch();
}

// Files, and those in folders, with their paths there.
async function* within(entries, path = "") {
  for (const entry of entries) {
    if (entry.isFile) yield [path + entry.name, await new Promise((done, fail) => entry.file(done, fail))];
    else {
      const reader = entry.createReader();
      for (let some; (some = await new Promise((done, fail) => reader.readEntries(done, fail))).length;) yield* within(some, `${path}${entry.name}/`);
    }
  }
}

// Looks how far reading is, until nothing is read any more; documents that are ready come into the list.
let watching = false;
async function watch() {
  if (watching) return;
  watching = true;
  for (let idle = 0, looks = 0; idle < 2; looks += 1) {
    const reply = await fetch(job.dataset.url).catch(() => null);
    if (!reply?.ok) break;
    shown(await reply.text());
    idle = job.querySelector("[data-running]") ? 0 : idle + 1;
    if (looks % 6 === 5) await refresh();
    await new Promise((done) => setTimeout(done, idle ? 300 : 700));
  }
  watching = false;
  await refresh();
}

// How far each job is never goes back, also where more pages turn up than were expected.
const reached = new Map();
function shown(html) {
  job.innerHTML = html;
  for (const bar of job.querySelectorAll("progress[data-job]")) {
    const share = Math.max(bar.value / bar.max, reached.get(bar.dataset.job) ?? 0);
    reached.set(bar.dataset.job, share);
    bar.value = share * bar.max;
  }
}

// Others write to the index too, as `recto index` does: what they have added comes into the list.
let [commit, last] = [job?.dataset.commit, ""];
setInterval(async () => {
  if (watching || document.hidden || !job) return;
  const reply = await fetch(job.dataset.url).catch(() => null);
  if (!reply?.ok) return;
  const [now, html] = [reply.headers.get("x-commit"), await reply.text()];
  if (html !== last) shown(html);
  last = html;
  if (job.querySelector("[data-running]")) return watch();
  if (now !== commit) await refresh();
  commit = now;
}, 3000);

async function refresh() {
  const reply = await fetch(location.href).catch(() => null);
  if (!reply?.ok) return;
  const fresh = new DOMParser().parseFromString(await reply.text(), "text/html");
  const narrowing = document.activeElement?.id === "narrow";
  const part = narrowing ? "list" : "holdings";
  const next = fresh.getElementById(part);
  if (next) document.getElementById(part)?.replaceWith(next);
}

if (drop) {
  for (const name of ["dragenter", "dragover"]) drop.addEventListener(name, (event) => { event.preventDefault(); drop.classList.add("over"); });
  for (const name of ["dragleave", "drop"]) drop.addEventListener(name, () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => { event.preventDefault(); send(within([...event.dataTransfer.items].map((item) => item.webkitGetAsEntry()).filter(Boolean))); });
  files.addEventListener("change", () => { send([...files.files].map((file) => [file.name, file])); files.value = ""; });
}

// Documents are narrowed by the server: it knows them all, the page only the first.
let pause = 0;
document.addEventListener("input", (event) => {
  if (event.target.id !== "narrow") return;
  clearTimeout(pause);
  pause = setTimeout(async () => {
    const url = new URL(location.href);
    url.search = event.target.value ? new URLSearchParams({ filter: event.target.value }) : "";
    const reply = await fetch(url);
    if (!reply.ok) return;
    const fresh = new DOMParser().parseFromString(await reply.text(), "text/html");
    document.getElementById("list").replaceWith(fresh.getElementById("list"));
    history.replaceState(null, "", url);
  }, 150);
});
document.addEventListener("submit", async (event) => {
  const form = event.target.closest("[data-remove]");
  if (!form) return;
  event.preventDefault();
  if (!confirm(form.dataset.confirm)) return;
  const reply = await fetch(form.dataset.remove, { method: "DELETE" });
  if (!reply.ok) line(await why(reply), "note bad");
  watch();
});
if (job?.dataset.busy === "true") watch();
