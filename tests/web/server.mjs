// An index of the sample documents and of one file that can't be read, and a server over it.
import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const { RECTO, ROOT } = process.env;

export async function start() {
  const folder = mkdtempSync(join(tmpdir(), "recto-web-"));
  const documents = join(folder, "documents");
  cpSync(join(ROOT, "samples"), documents, { recursive: true });
  writeFileSync(join(documents, "not-really.pdf"), "this is no PDF\n");
  writeFileSync(join(documents, "a <b> & 100% name.txt"), "Markup <script>alert(1)</script> is text.\n");
  const index = join(folder, "index");
  const env = { ...process.env, RECTO_MODELS: join(ROOT, "models") };
  const made = spawnSync(RECTO, ["index", documents, "--index", index, "--quiet"], { env, encoding: "utf8" });
  if (made.status !== 0 && made.status !== 3) throw new Error(`recto index: ${made.stderr}`);
  const served = await serve(["--index", index], env);
  const stop = async () => {
    await served.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { address: served.address, folder, documents, index, stop };
}

// A server of its own, for a check that needs other settings.
export async function serve(settings, env = process.env) {
  const models = { RECTO_MODELS: join(ROOT, "models") };
  const child = spawn(RECTO, ["serve", "--port", "0", ...settings], { env: { ...env, ...models }, stdio: ["ignore", "pipe", "pipe"] });
  const address = await listening(child);
  const stop = async (signal = "SIGTERM") => {
    const over = new Promise((done) => (child.exitCode === null && child.signalCode === null ? child.once("exit", done) : done()));
    child.kill(signal);
    await over;
  };
  return { address, stop, kill: () => stop("SIGKILL") };
}

function listening(child) {
  return new Promise((done, fail) => {
    let told = "";
    const look = (part) => {
      told += part;
      const found = told.match(/http:\/\/[\w.[\]:]+:\d+/);
      if (found) done(found[0]);
    };
    child.stdout.on("data", look);
    child.stderr.on("data", look);
    child.once("exit", (code) => fail(new Error(`recto serve ended with ${code}: ${told}`)));
  });
}
