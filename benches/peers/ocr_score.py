"""Scores of what an engine read off a page: character errors without regard to the order of lines, words, numbers.

An engine's result for a page is a list of lines; a line is a list of words; a word has `text` and `quad` (four corners
in pixels). An engine that knows only lines gives one "word" a line.
"""

import collections
import re
import unicodedata

import numpy
from rapidfuzz.distance import Levenshtein


def page_scores(truth, lines):
    """Counts that can be summed over pages."""
    places = [Place(line) for line in lines if line]
    claimed = [[] for _ in places]
    missed = 0
    for word in truth["words"]:
        center = numpy.mean(word["quad"], axis=0)
        distance, at = min(((place.distance(center), i) for i, place in enumerate(places)), default=(1, None))
        if distance < 1:
            claimed[at].append((places[at].along(center), word["text"]))
        else:
            missed += len(plain(word["text"]))
    errors, invented = missed, 0
    for place, words in zip(places, claimed):
        # Words that stand at the same place (drawn twice) keep the order of the text layer.
        wanted = plain("".join(text for _, text in sorted(words, key=lambda pair: pair[0])))
        got = plain(place.text)
        if wanted:
            errors += Levenshtein.distance(wanted, got)
        elif not any(inside(place.center, image) for image in truth["images"]):
            invented += len(got)
    result = {"errors": errors + invented, "missed": missed, "invented": invented,
              "characters": sum(len(plain(word["text"])) for word in truth["words"])}
    result.update(word_counts(truth, lines))
    result.update(number_counts(truth, lines))
    return result


class Place:
    """A line: a direction, and a rectangle around its words in that direction."""

    def __init__(self, line):
        quads = numpy.array([word["quad"] for word in line], dtype=float)
        self.text = " ".join(word["text"] for word in line)
        centers = quads.mean(axis=1)
        self.center = quads.reshape(-1, 2).mean(axis=0)
        if len(line) > 1:
            span = centers[-1] - centers[0]
        else:
            span = quads[0][1] - quads[0][0]
        self.direction = span / max(numpy.hypot(*span), 1e-9)
        across = numpy.array([-self.direction[1], self.direction[0]])
        # Across: the middle line through the centres, half the extent of a word; along: from end to end.
        own = quads - centers[:, None]
        level = abs(self.direction[0]) > abs(self.direction[1])
        self.half_height = numpy.median(numpy.abs(own[:, :, 1 if level else 0]).max(axis=1)) if len(line) > 1 \
            else numpy.abs(own @ across).max()
        reach = (quads - self.center) @ self.direction
        self.reach = reach.min(), reach.max()
        self.across = across
        self.offset = ((centers - self.center) @ across).mean()

    def along(self, point):
        return float((point - self.center) @ self.direction)

    def distance(self, point):
        """Below 1 inside, smaller nearer to the middle line."""
        along = self.along(point)
        if not self.reach[0] - 2 <= along <= self.reach[1] + 2:
            return 2
        return abs((point - self.center) @ self.across - self.offset) / (self.half_height + 1)


def plain(text):
    text = unicodedata.normalize("NFKC", text)
    text = re.sub(r"([.·…_\-‐–—]\s*){4,}", "", text)
    return "".join(FOLD.get(c, c) for c in text if not c.isspace() and unicodedata.category(c) not in ("Cf", "Cc"))


# Signs that look the same and that no engine tells apart.
FOLD = {"’": "'", "‘": "'", "`": "'", "“": '"', "”": '"', "–": "-", "—": "-", "‐": "-", "−": "-", "•": "·", "∙": "·",
        "●": "·", "": "·", "▪": "·", "■": "·"}


def inside(point, quad):
    xs, ys = zip(*quad)
    return min(xs) <= point[0] <= max(xs) and min(ys) <= point[1] <= max(ys)


def word_counts(truth, lines):
    wanted = collections.Counter(filter(None, (plain(word["text"]) for word in truth["words"])))
    got = collections.Counter(filter(None, (plain(t) for line in lines for word in line for t in word["text"].split())))
    return {"words_wanted": wanted.total(), "words_got": got.total(), "words_right": (wanted & got).total()}


def number_counts(truth, lines):
    """Numbers of at least two digits that were read exactly, in charts and elsewhere."""
    in_chart = lambda word: any(inside(numpy.mean(word["quad"], axis=0), chart) for chart in truth["charts"])
    got = collections.Counter(n for line in lines for word in line for n in numbers(word["text"]))
    counts = {}
    for name, wanted_here in (("chart", True), ("other", False)):
        wanted = collections.Counter(
            n for word in truth["words"] if in_chart(word) == wanted_here for n in numbers(word["text"]))
        found = wanted & got
        got -= found
        counts[f"{name}_numbers"], counts[f"{name}_numbers_right"] = wanted.total(), found.total()
    return counts


def numbers(text):
    return [n for n in re.findall(r"\d(?:[\d.,]*\d)?", unicodedata.normalize("NFKC", text)) if sum(map(str.isdigit, n)) > 1]


def summary(rows):
    """Figures over pages' counts, in per cent."""
    total = collections.Counter()
    for row in rows:
        total.update(row)
    share = lambda a, b: 100 * a / b if b else float("nan")
    return {
        "CER": share(total["errors"], total["characters"]),
        "missed": share(total["missed"], total["characters"]),
        "invented": share(total["invented"], total["characters"]),
        "F1": share(2 * total["words_right"], total["words_wanted"] + total["words_got"]),
        "numbers": share(total["other_numbers_right"], total["other_numbers"]),
        "chart numbers": share(total["chart_numbers_right"], total["chart_numbers"]),
    }
