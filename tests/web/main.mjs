// Starts `recto serve` over the sample documents and runs the checks one by one.
import { mkdirSync } from "node:fs";
import { checks } from "./checks.mjs";
import { pictures } from "./pictures.mjs";
import { Browser } from "./browser.mjs";
import { start } from "./server.mjs";
import { ended, studies } from "./study.mjs";

const wanted = process.argv.slice(2);
const folder = `${process.env.ROOT}/target/web/shots`;
mkdirSync(folder, { recursive: true });
const server = await start();
const browser = await Browser.open(server.address, folder);
let failed = 0;
try {
  if (wanted[0] === "--pictures") await pictures(browser, server);
  else {
    for (const [name, check] of Object.entries({ ...checks, ...studies })) {
      if (wanted.length && !wanted.some((word) => name.includes(word))) continue;
      const begun = Date.now();
      try {
        await browser.run(name, check, server);
        console.log(`ok    ${name} (${Date.now() - begun} ms)`);
      } catch (error) {
        failed += 1;
        console.log(`FAIL  ${name}\n${error.stack ?? error}`);
      }
    }
  }
} finally {
  await browser.close();
  await ended();
  await server.stop();
}
process.exit(failed ? 1 : 0);
