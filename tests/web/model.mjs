// A language model that always says the same, with one quote that stands on no page.
import { createServer } from "node:http";

const evidence = [
  { page: 9, quote: "Brack spillway gates" },
  { page: 5, quote: "January to April brought 487 millimetres" },
  { page: 4, quote: "the gates were sold for scrap" },
];
const answer = { status: "answered", answer: "3,412 thousand crowns", items: [], evidence };

export async function fakeModel() {
  const server = createServer((request, reply) => {
    let text = "";
    request.on("data", (part) => { text += part; });
    request.on("end", () => {
      const asksPages = text.includes('"pages":{"type":"array"');
      const content = JSON.stringify(asksPages ? { pages: [9, 5, 4] } : answer);
      const usage = { prompt_tokens: 1200, completion_tokens: 60, total_tokens: 1260 };
      reply.setHeader("content-type", "application/json");
      reply.end(JSON.stringify({ id: "1", object: "chat.completion", model: "fake", choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content } }], usage }));
    });
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { address: `http://127.0.0.1:${server.address().port}/v1`, stop: () => server.close() };
}
