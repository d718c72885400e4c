// The pictures of the README and of docs/web.md, made anew from the sample documents.
import { mkdirSync } from "node:fs";
import { QUESTION } from "./checks.mjs";

const at = "/c/default";

export async function pictures(browser) {
  const folder = `${process.env.ROOT}/docs/pictures`;
  mkdirSync(folder, { recursive: true });
  const page = await browser.page({ viewport: { width: 1120, height: 640 }, colorScheme: "light" });
  const take = (name) => page.screenshot({ path: `${folder}/${name}.png` });
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
}

// All pictures in view are there.
async function settled(page) {
  await page.waitForLoadState("networkidle");
  await page.waitForFunction(() => [...document.images].filter((image) => image.getBoundingClientRect().top < innerHeight && image.getBoundingClientRect().bottom > 0).every((image) => image.complete));
  await page.waitForTimeout(200);
}
