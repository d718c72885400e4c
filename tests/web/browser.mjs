// A browser that minds what no page may do: errors on the console, requests to elsewhere, faults of accessibility.
import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";

const axe = readFileSync(new URL("./node_modules/axe-core/axe.min.js", import.meta.url), "utf8");

export const sizes = { desktop: { width: 1360, height: 860 }, phone: { width: 390, height: 844 } };

export class Browser {
  static async open(address, folder) {
    const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
    return Object.assign(new Browser(), { browser, address, folder });
  }

  async page(options = {}) {
    const context = await this.browser.newContext({ viewport: sizes.desktop, baseURL: this.address, permissions: ["clipboard-read", "clipboard-write"], ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    page.faults = [];
    page.on("console", (message) => { if (message.type() === "error" && !page.expected?.test(message.text())) page.faults.push(`console: ${message.text()}`); });
    page.on("pageerror", (error) => page.faults.push(`script: ${error}`));
    page.on("request", (request) => {
      if (!request.url().startsWith(this.address) && !/^(data|blob):/.test(request.url())) page.faults.push(`asked elsewhere: ${request.url()}`);
    });
    page.on("response", async (reply) => {
      if (reply.status() >= 400 && !page.expected) page.faults.push(`${reply.status()}: ${reply.url()} ${await reply.text().catch(() => "")}`);
    });
    page.shot = (name) => page.screenshot({ path: `${this.folder}/${name}.png` });
    page.mustBeAccessible = () => mustBeAccessible(page);
    return page;
  }

  async run(name, check, server) {
    const page = await this.page(check.options);
    try {
      await check(page, server, this);
      if (page.faults.length) throw new Error(page.faults.join("\n"));
    } catch (error) {
      await page.shot(`failed-${name.replaceAll(/\W+/g, "-")}`).catch(() => {});
      throw error;
    } finally {
      await page.context().close();
    }
  }

  close() {
    return this.browser.close();
  }
}

// axe runs in the page's own world by the debugger, so that the page's rules about scripts stay as they are.
async function mustBeAccessible(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  const grave = violations.filter((violation) => ["serious", "critical"].includes(violation.impact));
  if (grave.length) {
    const told = grave.map((one) => `${one.id}: ${one.help}\n  ${one.nodes.slice(0, 4).map((node) => `${node.target} ${node.failureSummary?.split("\n").slice(1).join(" ")}`).join("\n  ")}`);
    throw new Error(`accessibility of ${page.url()}:\n${told.join("\n")}`);
  }
}
