"""Pages for the OCR comparison: drawn from the development documents, made worse, with what their text layer says.

Pictures and truths are written to a folder that the caller names; they are never kept in the repository.
"""

import io
import json
import random
import re
import unicodedata

import numpy
import pymupdf
from PIL import Image

from documents import development

SEED = 20261130
PAGES = 60
CHART_PAGES = 20
DPI = 144
CONDITIONS = ["clean", "clean", "clean", "skew", "jpeg40", "dpi100", "noise", "rotated", "rotated"]
UPRIGHT = ["clean", "jpeg40", "dpi100", "skew"]


def make(folder):
    """Writes `N.png` and `truth.json`: a list of pages with their condition, words and chart regions. The first are
    drawn from all pages, the last from those with charts, of which the first have few."""
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    folder.mkdir(parents=True, exist_ok=True)
    truths, left_out, drawn = [], {}, set()
    for path, number in in_chance_order(12):
        if len(truths) == PAGES:
            break
        page = pymupdf.open(path)[number - 1]
        why = unfit(page)
        if why:
            left_out[why] = left_out.get(why, 0) + 1
        else:
            condition = CONDITIONS[len(truths) % len(CONDITIONS)]
            truths.append(one(folder, len(truths), path.name, number, page, condition) | {"set": "pages"})
            drawn.add((path, number))
    for path, number in in_chance_order(1000):
        if len(truths) == PAGES + CHART_PAGES:
            break
        page = pymupdf.open(path)[number - 1]
        if (path, number) not in drawn and has_charts(page):
            condition = UPRIGHT[len(truths) % len(UPRIGHT)]
            truths.append(one(folder, len(truths), path.name, number, page, condition) | {"set": "charts"})
    (folder / "truth.json").write_text(json.dumps({"pages": truths, "left_out": left_out}))


def in_chance_order(most):
    """Pages of all documents in an order given by the seed, in turns from each document, at most so many of each."""
    chance = random.Random(SEED)
    pages = []
    for path in development():
        numbers = list(range(1, len(pymupdf.open(path)) + 1))
        chance.shuffle(numbers)
        pages += [(rank, chance.random(), path, number) for rank, number in enumerate(numbers[:12])]
        pages += [(rank, 1, path, number) for rank, number in enumerate(numbers) if 12 <= rank < most]
    pages.sort()
    return [(path, number) for _, _, path, number in pages]


def has_charts(page):
    return len(page.get_drawings()) >= 8 and unfit(page) is None and bool(chart_regions(page))


def unfit(page):
    """Why a page's text layer can't serve as truth, or None."""
    text = page.get_text()
    letters = [c for c in text if not c.isspace()]
    if len(letters) < 50:
        return "less than 50 characters"
    odd = sum(unicodedata.category(c) in ("Co", "Cn", "Cc", "Cs") or c == "\ufffd" for c in letters)
    if odd > 0.01 * len(letters):
        return "unmapped characters"
    words = re.findall(r"[a-z]{4,}", text.lower())
    if len(words) >= 20 and sum(not re.search("[aeiouy]", word) for word in words) > 0.25 * len(words):
        return "words without vowels"
    if any(span["type"] == 3 for span in page.get_texttrace()):
        return "invisible text"
    area = abs(page.rect.get_area())
    if sum(abs((pymupdf.Rect(i["bbox"]) & page.rect).get_area()) for i in page.get_image_info()) > 0.5 * area:
        return "mostly pictures"
    return None


def one(folder, index, document, number, page, condition):
    chance = numpy.random.default_rng(SEED + index)
    clean = draw(page, DPI)
    truth = {"document": document, "page": number, "condition": condition, "turned": 0}
    words = visible_words(page, clean)
    charts = [list(region) for region in chart_regions(page)]
    images = [list(pymupdf.Rect(i["bbox"]) * page.rotation_matrix) for i in page.get_image_info()]
    scale = DPI / 72
    boxes = [numpy.array(corners(word["box"])) * scale for word in words]
    areas = {"charts": [numpy.array(corners(box)) * scale for box in charts],
             "images": [numpy.array(corners(box)) * scale for box in images]}
    picture, move = DEGRADE[condition](page, clean, chance, index, truth)
    truth["words"] = [{"text": w["text"], "quad": move(q).round(1).tolist()} for w, q in zip(words, boxes)]
    for name, quads in areas.items():
        truth[name] = [move(quad).round(1).tolist() for quad in quads]
    picture.save(folder / f"{index}.png")
    truth["file"] = str(folder / f"{index}.png")
    return truth


def draw(page, dpi):
    pixels = page.get_pixmap(dpi=dpi, alpha=False)
    return Image.frombytes("RGB", (pixels.width, pixels.height), pixels.samples)


def corners(box):
    left, top, right, bottom = box
    return [[left, top], [right, top], [right, bottom], [left, bottom]]


def visible_words(page, clean):
    """Words of the text layer, in page coordinates as displayed, without those that can't be seen."""
    luma = numpy.asarray(clean.convert("L"), dtype=int)
    words = []
    for *box, text, _, _, _ in page.get_text("words"):
        box = pymupdf.Rect(box) * page.rotation_matrix
        left, top, right, bottom = (int(v * DPI / 72) for v in box)
        there = luma[max(top, 0) : bottom + 1, max(left, 0) : right + 1]
        if there.size and there.max() - there.min() >= 40:
            words.append({"text": text, "box": list(box)})
    return words


def chart_regions(page):
    """Clusters of vector graphics that hold numbers and are no table: with curves or slanted lines, or, if they are
    high enough, bars of several sizes."""
    drawings = page.get_drawings()
    words = [(pymupdf.Rect(word[:4]), word[4]) for word in page.get_text("words")]
    clusters = page.cluster_drawings(drawings=drawings, x_tolerance=12, y_tolerance=12)
    return [region * page.rotation_matrix for region in map(lambda c: chart_region(page, c, drawings, words), clusters)
            if region]


def chart_region(page, cluster, drawings, words):
    region = pymupdf.Rect(cluster) + (-24, -24, 24, 24)
    share = abs(region.get_area()) / abs(page.rect.get_area())
    inside = [text for box, text in words if region.contains(box)]
    numbers = [text for text in inside if re.fullmatch(r"[-+$€£]?[\d.,]+%?", text)]
    if not 0.02 < share < 0.8 or len(numbers) < max(4, 0.2 * len(inside)):
        return None
    shapes = [d for d in drawings if cluster.contains(d["rect"])]
    slanted = any(item[0] == "c" or item[0] == "l" and item[1].x != item[2].x and item[1].y != item[2].y
                  for d in shapes for item in d["items"])
    filled = [d["rect"] for d in shapes if d.get("fill") and min(d["rect"].width, d["rect"].height) > 3]
    bars = {(round(bar.width), round(bar.height)) for bar in filled}
    high = cluster.height > 0.16 * page.rect.height
    if not slanted and not (high and len(bars) >= 4):
        return None
    tables = [pymupdf.Rect(table.bbox) for table in page.find_tables().tables]
    tabular = any(abs((table & region).get_area()) > 0.5 * abs(region.get_area()) for table in tables)
    return None if tabular else region


def still(points):
    return points


def clean(page, picture, chance, index, truth):
    return picture, still


def skew(page, picture, chance, index, truth):
    angle = float(chance.uniform(1, 2)) * (-1 if index % 2 else 1)
    truth["angle"] = angle
    return slanted(picture, angle)


def slanted(picture, angle):
    """Turned counterclockwise by degrees, white where nothing was; and how points move."""
    turned = picture.rotate(angle, Image.Resampling.BICUBIC, expand=True, fillcolor="white")
    radians = numpy.radians(angle)
    matrix = numpy.array([[numpy.cos(radians), numpy.sin(radians)], [-numpy.sin(radians), numpy.cos(radians)]])
    middle, new_middle = numpy.array(picture.size) / 2, numpy.array(turned.size) / 2
    return turned, lambda points: (points - middle) @ matrix.T + new_middle


def jpeg40(page, picture, chance, index, truth):
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=40)
    return Image.open(file).convert("RGB"), still


def dpi100(page, picture, chance, index, truth):
    return draw(page, 100).resize(picture.size, Image.Resampling.BILINEAR), still


def noise(page, picture, chance, index, truth):
    grey = numpy.asarray(picture.convert("L"), dtype=float)
    noisy = (grey + chance.normal(0, 12, grey.shape)).clip(0, 255).astype(numpy.uint8)
    return Image.fromarray(noisy).convert("RGB"), still


def rotated(page, picture, chance, index, truth):
    quarters = int(chance.integers(1, 4))
    truth["turned"] = quarters
    return slanted(picture, 90 * quarters)


DEGRADE = {f.__name__: f for f in (clean, skew, jpeg40, dpi100, noise, rotated)}
