// The pictures of the README and of docs/web.md, made anew from the sample documents.
import { mkdirSync } from "node:fs";
import { Browser } from "./browser.mjs";
import { QUESTION } from "./checks.mjs";
import { begun } from "./study.mjs";

const at = "/c/default";

export async function pictures(browser, server) {
  const folder = `${process.env.ROOT}/docs/pictures`;
  mkdirSync(folder, { recursive: true });
  const options = { viewport: { width: 1120, height: 640 }, colorScheme: "light" };
  const page = await browser.page(options);
  const take = (name, of = page) => of.screenshot({ path: `${folder}/${name}.png` });
  await page.goto(`${at}/ask?q=${encodeURIComponent(QUESTION)}`);
  await page.locator("#pane .mark").first().waitFor({ state: "attached" });
  await settled(page);
  await take("ask");
  await page.goto(`${at}/view/river-basin-report.pdf/9`);
  await page.locator("#p9 .words tspan").first().waitFor({ state: "attached" });
  await page.getByRole("button", { name: "Blocks" }).click();
  await page.getByRole("button", { name: "About" }).click();
  await settled(page);
  await take("viewer");
  await page.goto(`${at}/search?q=${encodeURIComponent("phosphorus concentration")}`);
  await settled(page);
  await take("search");
  await page.context().close();
  const study = await begun(server);
  const bench = await Object.assign(Object.create(Browser.prototype), browser, { address: study.server.address }).page(options);
  await bench.goto(`${at}/traces`);
  await bench.getByRole("link", { name: "money spent on spillway gates" }).click();
  await settled(bench);
  await take("trace", bench);
  await bench.goto(`${at}/runs/item?run=offline&id=gates`);
  await settled(bench);
  await take("run", bench);
  await bench.goto(`${at}/annotate`);
  await bench.getByLabel("Your name").fill("ann");
  await bench.keyboard.press("Enter");
  await bench.getByLabel(/Search/).first().fill("spillway gates");
  await bench.keyboard.press("Enter");
  await bench.locator(".found-page").first().click();
  await bench.locator(".words tspan").first().waitFor({ state: "attached" });
  await settled(bench);
  await take("annotate", bench);
  await bench.context().close();
}

// All pictures in view are there.
async function settled(page) {
  await page.waitForLoadState("networkidle");
  await page.waitForFunction(() => [...document.images].filter((image) => image.getBoundingClientRect().top < innerHeight && image.getBoundingClientRect().bottom > 0).every((image) => image.complete));
  await page.waitForTimeout(200);
}
