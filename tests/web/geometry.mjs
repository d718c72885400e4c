// Where marks lie, judged by the words and by the ink of the picture under them.
import assert from "node:assert/strict";

// The words whose middle lies in a mark, in their order.
export function wordsUnderMarks(scope) {
  return scope.evaluate((root) => {
    const marks = [...root.querySelectorAll(".marks .mark, .marks .found")].map((mark) => mark.getBoundingClientRect());
    const within = (box) => marks.some((mark) => {
      const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
      return x > mark.left && x < mark.right && y > mark.top && y < mark.bottom;
    });
    return [...root.querySelectorAll(".words tspan")].filter((word) => within(word.getBoundingClientRect())).map((word) => word.textContent);
  });
}

// How far the box of each word is from what it covers of the picture: the share of marks that have ink under them.
export async function inkUnderMarks(scope) {
  await scope.evaluate((root) => { const image = root.querySelector("img"); return image.complete || new Promise((done) => { image.onload = done; }); });
  return scope.evaluate((root) => {
    const image = root.querySelector("img");
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const frame = image.getBoundingClientRect();
    const marks = [...root.querySelectorAll(".marks .mark")].map((mark) => mark.getBoundingClientRect());
    const dark = (box) => {
      const scale = canvas.width / frame.width;
      const [x, y, w, h] = [(box.left - frame.left) * scale, (box.top - frame.top) * scale, box.width * scale, box.height * scale];
      const { data } = context.getImageData(x, y, Math.max(1, w), Math.max(1, h));
      let count = 0;
      for (let at = 0; at < data.length; at += 4) if (data[at] + data[at + 1] + data[at + 2] < 380) count += 1;
      return count / (data.length / 4);
    };
    return { marks: marks.length, inked: marks.filter((mark) => dark(mark) > 0.03).length };
  });
}

const plain = (text) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

export function mustBeTheQuote(words, quote) {
  const [got, want] = [plain(words.join(" ")), plain(quote)];
  assert.ok(want.length > 0 && got.length > 0, `nothing marked for “${quote}”`);
  assert.equal(got, want, "the marked words are the quote");
}
