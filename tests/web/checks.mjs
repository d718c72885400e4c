// What every page must do. Each check gets a fresh page of the browser.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inkUnderMarks, mustBeTheQuote, wordsUnderMarks } from "./geometry.mjs";
import { sizes } from "./browser.mjs";
import { fakeModel } from "./model.mjs";
import { serve } from "./server.mjs";

const at = "/c/default";
export const QUESTION = "How much was spent on the Brack spillway gates?";

export const checks = {
  async "ask: steps, answer, a citation whose mark lies on the quoted words"(page) {
    await page.goto("/");
    await page.mustBeAccessible();
    await page.getByLabel("Question").fill(QUESTION);
    await page.keyboard.press("Enter");
    await page.locator(".answer .text").waitFor();
    assert.match(await page.locator(".answer .text").innerText(), /3,412/);
    assert.match(await page.locator(".facts").innerText(), /looked at \d+/i);
    const cite = page.locator(".cite").first();
    const quote = await cite.locator("q").innerText();
    const pane = page.locator("#pane");
    mustBeTheQuote(await wordsUnderMarks(pane), quote);
    const ink = await inkUnderMarks(pane);
    assert.ok(ink.marks > 0 && ink.inked === ink.marks, JSON.stringify(ink));
    await page.mustBeAccessible();
    await page.shot("ask-desktop");
    // A reload shows the same answer and asks nothing.
    assert.match(page.url(), /answer=/);
    await page.reload();
    assert.match(await page.locator(".answer .text").innerText(), /3,412/);
    // The citation's own address marks the same words in the document.
    await page.goto(await cite.getAttribute("href"));
    const leaf = page.locator(".leaf[data-mark]");
    await leaf.locator(".mark").first().waitFor({ state: "attached" });
    mustBeTheQuote(await wordsUnderMarks(leaf), quote);
    await page.shot("citation-desktop");
  },

  async "ask: by keys alone; an answer is copied with its citations and outlives the server"(page, server) {
    const settings = ["--index", server.index];
    let served = await serve(settings);
    page.expected = /./;
    try {
      await page.goto(`${served.address}${at}/ask`);
      await page.locator("#main").focus();
      await page.keyboard.press("?");
      assert.match(await page.getByRole("dialog").innerText(), /copy the answer/);
      await page.keyboard.press("Escape");
      await page.keyboard.press("/");
      await page.keyboard.type(QUESTION);
      await page.keyboard.press("Enter");
      await page.locator(".answer .text").waitFor();
      await page.locator("#main").focus();
      await page.keyboard.press("c");
      await page.locator(".toast").waitFor();
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      assert.match(copied, /spillway gates\?\n3,412 thousand crowns\n1\. river-basin-report\.pdf, page 9.*: “.*3,412.*”\n   http:\/\/127.*mark=/s);
      await page.keyboard.press("l");
      const link = new URL(await page.evaluate(() => navigator.clipboard.readText()));
      assert.match(link.search, /answer=/);
      await page.goto("about:blank");
      await served.stop();
      served = await serve(settings);
      await page.goto(`${served.address}${link.pathname}${link.search}`);
      assert.match(await page.locator(".answer .text").innerText(), /3,412/);
      assert.ok(await page.locator("#pane .mark").count());
      await page.keyboard.press("o");
      await page.locator(".leaf .mark").first().waitFor({ state: "attached" });
    } finally {
      await page.goto("about:blank");
      await served.stop();
      page.faults.length = 0;
    }
  },

  async "ask: a model's answer, its cost, and a click on another citation"(page, server) {
    const model = await fakeModel();
    const served = await serve(["--index", server.index, "--model", "vllm:fake", "--base-url", model.address]);
    page.expected = /never/;
    page.faults.length = 0;
    try {
      await page.goto(`${served.address}${at}/ask?doc=river-basin-report.pdf&q=${encodeURIComponent(QUESTION)}`);
      await page.locator(".answer .text").waitFor();
      assert.match(await page.locator(".facts").innerText(), /fake[\s\S]*request/);
      const cites = page.locator(".cite");
      assert.equal(await cites.count(), 3);
      await cites.nth(1).click();
      await page.locator(".pane-head", { hasText: "page 5" }).waitFor();
      assert.equal(await cites.nth(1).getAttribute("aria-current"), "true");
      mustBeTheQuote(await wordsUnderMarks(page.locator("#pane")), await cites.nth(1).locator("q").innerText());
      assert.match(await cites.nth(2).innerText(), /not found among the words/);
      await page.shot("ask-model-desktop");
    } finally {
      await page.goto("about:blank");
      await served.stop();
      model.stop();
    }
    page.faults = page.faults.filter((fault) => !fault.includes(served.address));
  },

  async "ask: what the documents do not hold is said to be so"(page) {
    await page.goto(`${at}/ask?q=${encodeURIComponent("How many salmon were counted at Fenn Weir in 2019?")}`);
    await page.locator(".answer .text").waitFor();
    assert.equal(await page.locator(".answer .text").innerText(), "No answer found.");
    assert.equal(await page.locator(".cite q").count(), 0);
    assert.match(await page.locator(".answer").innerText(), /share most words/);
    assert.ok((await page.locator(".cite mark").count()) >= 1);
    await page.mustBeAccessible();
    await page.shot("ask-declined-desktop");
  },

  async "search: hits with snippet, score and picture; a hit opens with its words marked"(page) {
    await page.goto(`${at}/search`);
    await page.getByLabel("Search for").fill("spillway gates");
    await page.keyboard.press("Enter");
    const first = page.locator(".hit").first();
    assert.match(await first.innerText(), /river-basin-report\.pdf, page/);
    assert.match((await first.locator("mark").allInnerTexts()).join(" "), /gates/i);
    assert.ok((await first.locator(".thumb .mark").count()) >= 1, "words are marked on the small picture");
    await page.locator("#main").focus();
    await page.keyboard.press("j");
    assert.ok(await first.locator("h2 a").evaluate((link) => link === document.activeElement));
    await first.locator("summary").click();
    assert.ok((await first.locator(".why tr").count()) >= 1);
    await first.locator("img").evaluate((image) => image.complete || new Promise((done) => { image.onload = done; }));
    await page.mustBeAccessible();
    await page.shot("search-desktop");
    await first.locator("h2 a").click();
    await page.locator(".leaf .found").first().waitFor({ state: "attached" });
    const words = await wordsUnderMarks(page.locator(".leaf", { has: page.locator(".found") }).first());
    assert.ok(words.every((word) => /spillway|gate/i.test(word)), words.join(" "));
    // What is misspelt is searched for as it may be meant, and that is said.
    await page.goto(`${at}/search?q=spilway+gates`);
    assert.match(await page.locator("main").innerText(), /Pages for “spillway gates”/);
    assert.ok((await page.locator(".hit .thumb .mark").count()) >= 1);
    await page.goto(`${at}/search?q=water`);
    await page.getByLabel("With").selectOption("table");
    await page.getByRole("button", { name: "Search" }).click();
    await page.waitForURL(/kind=table/);
    assert.ok((await page.locator(".hit").count()) >= 1);
    assert.equal(await page.getByLabel("With").inputValue(), "table");
    await page.goto(`${at}/search?q=zzzz`);
    assert.match(await page.locator("main").innerText(), /No page matches/);
    await page.goto(`${at}/search?q=water&doc=nothing-like-this`);
    assert.match(await page.getByRole("alert").innerText(), /no document is called/i);
  },

  async "viewer: pages, contents, labels, find, zoom, tables, drawings"(page) {
    await page.goto(`${at}/view/river-basin-report.pdf/5`);
    await page.locator("#p5 .words tspan").first().waitFor({ state: "attached" });
    assert.equal(await page.locator(".thumbs li").count(), 10);
    await page.mustBeAccessible();
    await page.shot("viewer-desktop");
    await page.getByRole("tab", { name: "Contents" }).click();
    const entry = page.locator(".outline a").last();
    const target = await entry.getAttribute("data-n");
    await entry.click();
    await page.waitForFunction((n) => document.getElementById("go").value === n, target);
    await page.locator("#go").fill("ii");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.getElementById("go").value === "2");
    // Who has typed a page is there, and goes on by keys.
    assert.equal(await page.evaluate(() => document.activeElement.id), "p2");
    await page.keyboard.press("n");
    await page.waitForFunction(() => document.getElementById("go").value === "3");
    await page.keyboard.press("/");
    await page.keyboard.type("spillway");
    await page.keyboard.press("Enter");
    await page.locator("#found a").first().waitFor();
    await page.locator(".leaf .found").first().waitFor({ state: "attached" });
    assert.match(await page.locator("#found").innerText(), /spillway/i);
    await page.mustBeAccessible();
    const wide = await page.locator(".leaf").first().evaluate((leaf) => leaf.clientWidth);
    await page.locator("[data-act=larger]").click();
    assert.ok((await page.locator(".leaf").first().evaluate((leaf) => leaf.clientWidth)) > wide * 1.2);
    await page.locator("[data-act=fit]").click();
    await page.goto(`${at}/view/river-basin-report.pdf/9`);
    await page.locator("#p9 .words tspan").first().waitFor({ state: "attached" });
    await page.getByRole("button", { name: "About" }).click();
    await page.locator(".about table.grid").first().waitFor();
    await page.getByRole("button", { name: "Blocks" }).click();
    assert.ok(await page.locator("#p9 .g-blocks rect").first().isVisible());
    await page.mustBeAccessible();
    await page.shot("viewer-about-desktop");
  },

  async "viewer: words can be selected where they are seen, and linked to"(page) {
    await page.goto(`${at}/view/river-basin-report.pdf/9`);
    const words = page.locator("#p9 .words tspan");
    await words.first().waitFor({ state: "attached" });
    const texts = await words.allTextContents();
    const from = texts.findIndex((text) => /spillway/i.test(text));
    await words.nth(from).scrollIntoViewIfNeeded();
    const [a, b] = [await words.nth(from).boundingBox(), await words.nth(from + 1).boundingBox()];
    await page.mouse.move(a.x + 1, a.y + a.height / 2);
    await page.mouse.down();
    await page.mouse.move(b.x + b.width - 1, b.y + b.height / 2, { steps: 5 });
    await page.mouse.up();
    assert.equal(await page.evaluate(() => getSelection().toString().trim().replaceAll(/\s+/g, " ")), texts.slice(from, from + 2).join(" "));
    await page.getByRole("button", { name: "Copy link" }).click();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(link, /mark=/);
    await page.goto("about:blank");
    page.faults.length = 0;
    await page.goto(link);
    await page.locator("#p9 .mark").first().waitFor({ state: "attached" });
    mustBeTheQuote(await wordsUnderMarks(page.locator("#p9")), texts.slice(from, from + 2).join(" "));
    // Two lines are copied as two lines.
    const lines = await page.evaluate(() => {
      const lines = [...document.querySelectorAll("#p9 .words text")].slice(0, 2);
      getSelection().setBaseAndExtent(lines[0].firstChild.firstChild, 0, lines[1].lastElementChild.firstChild, 1);
      return { copied: getSelection().toString(), want: lines.map((line) => line.textContent.trim()) };
    });
    assert.ok(lines.copied.split("\n").length >= 2, JSON.stringify(lines));
  },

  async "library: states, problems with their next step"(page) {
    await page.goto(`${at}/library`);
    const row = page.locator("tr", { hasText: "not-really.pdf" });
    assert.match(await row.innerText(), /could not be read/);
    await page.mustBeAccessible();
    await page.shot("library-desktop");
    await row.getByRole("link", { name: /problem/ }).click();
    assert.match(await page.locator("main").innerText(), /Next: /);
    await page.mustBeAccessible();
    await page.shot("problems-desktop");
    await page.goto(`${at}/library?filter=pump`);
    assert.equal(await page.locator("#holdings tbody tr").count(), 1);
    await page.locator("#narrow").fill("report");
    await page.locator("#list tbody tr", { hasText: "river-basin-report" }).waitFor();
    assert.equal(await page.locator("#list tbody tr").count(), 1);
  },

  async "library: a file is added, is seen to be read, and can be found"(page, server) {
    const file = join(server.folder, "added tower.txt");
    writeFileSync(file, "The Zorblatt tower is 57 metres high.\n");
    await page.goto(`${at}/library`);
    await page.locator("#files").setInputFiles(file);
    await page.locator("#sent li", { hasText: "received" }).waitFor();
    await page.locator("#holdings", { hasText: "added tower.txt" }).waitFor();
    await page.goto(`${at}/search?q=zorblatt`);
    assert.equal(await page.locator(".hit").count(), 1);
  },

  async "library: reading is shown while it goes on; a document is removed"(page, server) {
    const file = join(server.folder, "second letter.pdf");
    // Reading a scan takes a while.
    writeFileSync(file, Buffer.concat([readFileSync(join(server.documents, "scanned-letter.pdf")), Buffer.from("\n")]));
    await page.goto(`${at}/library`);
    await page.locator("#files").setInputFiles(file);
    const job = page.locator("#job [data-running]", { hasText: "second letter.pdf" });
    await job.waitFor();
    assert.ok(await job.locator("progress").isVisible());
    await page.mustBeAccessible();
    await page.shot("library-running-desktop");
    const row = page.locator("#list tr", { hasText: "second letter.pdf" });
    await row.waitFor({ timeout: 120_000 });
    page.on("dialog", (dialog) => dialog.accept());
    await row.getByRole("button", { name: /Remove/ }).click();
    await row.waitFor({ state: "detached" });
  },

  async "library: a folder is served while it is read"(page, server) {
    const served = await serve([server.documents, "--index", join(server.folder, "fresh")]);
    page.expected = /./;
    try {
      await page.goto(`${served.address}${at}/ask`);
      const title = await page.locator("h1").first().innerText();
      assert.match(title, /being read|What do you want/);
      await page.goto(`${served.address}${at}/library`);
      await page.locator("#list tr", { hasText: "river-basin-report.pdf" }).waitFor({ timeout: 180_000 });
      await page.locator("#job [data-running]").waitFor({ state: "detached", timeout: 180_000 });
    } finally {
      await page.goto("about:blank");
      await served.stop();
      page.faults.length = 0;
    }
  },

  async "library: a folder that is watched, and what others write"(page, server) {
    const folder = join(server.folder, "watched");
    mkdirSync(folder);
    writeFileSync(join(folder, "first.txt"), "The first newt.\n");
    const served = await serve([folder, "--index", join(server.folder, "watched-index"), "--watch=1"]);
    page.expected = /./;
    try {
      await page.goto(`${served.address}${at}/library`);
      await page.locator("#list tr", { hasText: "first.txt" }).waitFor({ timeout: 60_000 });
      await page.locator("#job", { hasText: "Kept up to date with" }).waitFor();
      writeFileSync(join(folder, "second.txt"), "The second newt.\n");
      await page.locator("#list tr", { hasText: "second.txt" }).waitFor({ timeout: 60_000 });
      rmSync(join(folder, "first.txt"));
      await page.locator("#list tr", { hasText: "first.txt" }).waitFor({ state: "detached", timeout: 60_000 });
      await page.mustBeAccessible();
      rmSync(folder, { recursive: true });
      await page.locator("#job", { hasText: "can’t be seen" }).waitFor({ timeout: 60_000 });
      assert.equal(await page.locator("#list tr", { hasText: "second.txt" }).count(), 1);
    } finally {
      await page.goto("about:blank");
      await served.stop();
      page.faults.length = 0;
    }
  },

  async "keys: a person is asked for one and comes to where they wanted"(page, server) {
    const served = await serve(["--index", server.index], { ...process.env, RECTO_SERVE_KEYS: "a-key-that-is-long-enough" });
    page.expected = /./;
    try {
      await page.goto(`${served.address}${at}/library`);
      assert.match(page.url(), /login/);
      await page.mustBeAccessible();
      assert.equal(await page.locator(".top nav a").count(), 0);
      await page.getByLabel("Key", { exact: true }).fill("not-the-right-one-at-all");
      await page.keyboard.press("Enter");
      await page.getByRole("alert").waitFor();
      await page.getByLabel("Key", { exact: true }).fill("a-key-that-is-long-enough");
      await page.keyboard.press("Enter");
      await page.waitForURL(/library$/);
      assert.match(await page.locator("h1").innerText(), /Library/);
    } finally {
      await page.goto("about:blank");
      await served.stop();
      page.faults.length = 0;
    }
  },

  async "keys: other collections are not there, and what a key may not do is said"(page, server) {
    const key = "a-key-that-is-long-enough";
    const served = await serve(["--collection", `one=${server.index}`, "--collection", `two=${server.index}`], { ...process.env, RECTO_SERVE_KEYS: `${key}@one:read` });
    page.expected = /./;
    try {
      await page.goto(`${served.address}/login`);
      await page.getByLabel("Key", { exact: true }).fill(key);
      await page.keyboard.press("Enter");
      await page.waitForURL(/c\/one\/ask/);
      const below = ["ask", "search?q=water", "library", "library/job", "problems", "view/pump-manual.pdf/1", "view/pump-manual.pdf/find?find=water", "view/pump-manual.pdf/1/layer", "view/pump-manual.pdf/1/about", "view/pump-manual.pdf/1/pane"];
      for (const place of below) {
        assert.equal((await page.request.get(`${served.address}/c/one/${place}`)).status(), 200, place);
        const other = await page.request.get(`${served.address}/c/two/${place}`);
        const none = await page.request.get(`${served.address}/c/none/${place}`);
        assert.equal(other.status(), 404, place);
        assert.equal(await other.text(), await none.text(), place);
      }
      assert.equal((await page.request.post(`${served.address}/c/two/ask/live?q=water`)).status(), 404);
      await page.goto(`${served.address}/c/one/library`);
      assert.equal(await page.locator("#drop").count(), 0);
      await page.goto(`${served.address}/c/one/ask?q=water`);
      await page.locator("#told .note.bad", { hasText: "may not ask" }).waitFor();
    } finally {
      await page.goto("about:blank");
      await served.stop();
      page.faults.length = 0;
    }
  },

  async "an index without documents: every page says what to do"(page, server) {
    const served = await serve(["--index", join(server.folder, "nothing-here")]);
    page.expected = /./;
    try {
      for (const place of ["ask", "search", "library", "problems"]) {
        await page.goto(`${served.address}${at}/${place}`);
        assert.match(await page.locator("main").innerText(), /No documents yet/);
        await page.mustBeAccessible();
      }
      await page.shot("empty-desktop");
    } finally {
      await page.goto("about:blank");
      await served.stop();
      page.faults.length = 0;
    }
  },

  async "what documents are called and say is never markup"(page) {
    await page.goto(`${at}/library`);
    await page.getByRole("link", { name: "a <b> & 100% name.txt" }).click();
    await page.locator(".words tspan").first().waitFor({ state: "attached" });
    assert.match(await page.locator(".words").first().innerText().catch(() => page.locator(".words").first().textContent()), /<script>alert\(1\)<\/script>/);
    await page.goto(`${at}/search?q=${encodeURIComponent("<img src=x onerror=alert(1)> markup")}`);
    assert.equal(await page.locator("main img[src=x]").count(), 0);
  },

  async "what is not there has a page that says so"(page) {
    page.expected = /404|422/;
    for (const [address, text] of [["/c/none/ask", "Nothing here"], [`${at}/view/none.pdf/1`, "Nothing here"], [`${at}/view/pump-manual.pdf/99`, "Nothing here"], [`${at}/view/pump-manual.pdf/0`, "Nothing here"]]) {
      const reply = await page.goto(address);
      assert.equal(reply.status(), 404, address);
      assert.match(await page.locator("main").innerText(), new RegExp(text));
    }
    await page.mustBeAccessible();
  },
};

const phone = { viewport: sizes.phone, deviceScaleFactor: 2, hasTouch: true, isMobile: true };
checks["phone: every page fits, and a citation opens the document"] = Object.assign(async (page) => {
  await page.goto(`${at}/ask?q=${encodeURIComponent(QUESTION)}`);
  await page.locator(".answer .text").waitFor();
  await fits(page);
  await page.shot("ask-phone");
  await page.locator(".cite").first().click();
  await page.locator(".leaf .mark").first().waitFor({ state: "attached" });
  await page.waitForTimeout(300);
  await fits(page);
  await page.shot("citation-phone");
  for (const place of ["search?q=spillway", "library", "problems"]) {
    await page.goto(`${at}/${place}`);
    await fits(page);
    await page.mustBeAccessible();
    await page.shot(`${place.split("?")[0]}-phone`);
  }
}, { options: phone });

checks["dark: every page"] = Object.assign(async (page) => {
  for (const place of [`ask?q=${encodeURIComponent(QUESTION)}`, "search?q=spillway", "library", "view/pump-manual.pdf/2"]) {
    await page.goto(`${at}/${place}`);
    if (place.startsWith("ask")) await page.locator(".answer .text").waitFor();
    await page.waitForTimeout(300);
    await page.mustBeAccessible();
    await page.shot(`${place.split(/[?/]/)[0]}-dark`);
  }
}, { options: { colorScheme: "dark" } });

async function fits(page) {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(wide <= 0, `${page.url()} is ${wide} px too wide`);
}
