"""Draws the pictures of the OCR tests with the fonts of this repository. Needs Pillow. usage: make.py"""

import pathlib

from PIL import Image, ImageDraw, ImageFont

HERE = pathlib.Path(__file__).resolve().parent
CRATES = HERE.parents[3]
LATIN = CRATES / "recto-fixture/assets/LiberationSans-Regular.ttf"
ALL = CRATES / "recto-ingest/assets/Fallback.ttf"


def canvas(width, height, ground="white"):
    picture = Image.new("RGB", (width, height), ground)
    return picture, ImageDraw.Draw(picture)


def font(path, size):
    return ImageFont.truetype(str(path), size)


def page():
    picture, pen = canvas(640, 400)
    lines = ["Water levels of the river", "The gauge at the old bridge showed", "a mean of 412.75 cm in March 2024,",
             "up from 398.20 cm a year before."]
    for row, line in enumerate(lines):
        pen.text((60, 40 + 44 * row), line, "black", font(LATIN, 24))
    pen.rectangle((60, 240, 580, 300), "navy")
    pen.text((80, 255), "Warning level 520 cm", "white", font(LATIN, 24))
    return picture


def axis():
    picture, pen = canvas(640, 220)
    for i in range(7):
        pen.text((90 + 76 * i, 150), str(10 * i), "black", font(LATIN, 20))
        pen.text((95 + 76 * i, 100), str(i + 1), "black", font(LATIN, 20))
    title, writer = canvas(160, 30)
    writer.text((4, 2), "Discharge", "black", font(LATIN, 22))
    picture.paste(title.rotate(90, expand=True), (20, 30))
    return picture


def text(path, *lines):
    picture, pen = canvas(640, 60 + 48 * len(lines))
    for row, line in enumerate(lines):
        pen.text((40, 30 + 48 * row), line, "black", font(path, 24))
    return picture


def main():
    pictures = {
        "page": page(),
        "skewed": page().rotate(2, Image.Resampling.BICUBIC, expand=True, fillcolor="white"),
        "axis": axis(),
        "kana": text(ALL, "これはテストです。", "ひらがなとカタカナ"),
        "cyrillic": text(LATIN, "Все люди рождаются свободными", "и равными в своём достоинстве"),
    }
    for name, picture in pictures.items():
        picture.convert("L").quantize(16).save(HERE / f"{name}.png", optimize=True)


main()
