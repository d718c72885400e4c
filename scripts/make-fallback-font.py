#!/usr/bin/env python3
"""Makes crates/recto-ingest/assets/Fallback.ttf: Droid Sans Fallback with what it lacks: the Latin, Greek and Cyrillic
letters, digits and signs of Roboto, then the Armenian, Hebrew, Arabic and Georgian letters, arrows, mathematical signs and
shapes of DejaVu Sans.

usage: make-fallback-font.py DroidSansFallbackFull.ttf Roboto-Regular.ttf DejaVuSans.ttf OUT.ttf

The inputs are those of Debian's packages fonts-droid-fallback, fonts-roboto-unhinted and fonts-dejavu-core; needs fonttools
from PyPI.
"""

import sys

from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont
from fontTools.ttLib.scaleUpem import scale_upem

LETTERS = [*range(0x20, 0x7F), *range(0xA0, 0x530), *range(0x1E00, 0x2028), *range(0x2030, 0x205F), *range(0x20A0, 0x2150)]
SIGNS = [
    *range(0x300, 0x700), *range(0x10D0, 0x1100), *range(0x2070, 0x2800), *range(0xFB00, 0xFDFE), *range(0xFE20, 0xFEFD),
]


def main():
    base, roboto, dejavu, out = sys.argv[1:]
    font = TTFont(base, recalcTimestamp=False)
    add_all(font, TTFont(roboto), LETTERS)
    add_all(font, TTFont(dejavu), SIGNS)
    for table in ("fpgm", "prep", "cvt ", "gasp", "GDEF", "GPOS", "GSUB"):
        if table in font:
            del font[table]
    for record in font["name"].names:
        if record.nameID in (1, 4, 6):
            record.string = "Recto Fallback" if record.nameID != 6 else "RectoFallback"
    font.save(out)


def add_all(font, other, wanted):
    """Adds the glyphs of `other` for the `wanted` characters that `font` lacks."""
    scale_upem(other, font["head"].unitsPerEm)
    glyphs, names, known = other.getGlyphSet(), other.getBestCmap(), set(font.getBestCmap())
    for code in wanted:
        if code in names and code not in known:
            add(font, glyphs, names[code], code)


def add(font, glyphs, source, code):
    """Adds the outline of glyph `source`, composites taken apart, for the character `code`."""
    name = f"added{code:04X}"
    recording = DecomposingRecordingPen(glyphs)
    glyphs[source].draw(recording)
    pen = TTGlyphPen(None)
    recording.replay(pen)
    glyph = pen.glyph()
    font.getGlyphOrder().append(name)
    font["glyf"].glyphs[name] = glyph
    font["glyf"].glyphOrder = font.getGlyphOrder()
    glyph.recalcBounds(font["glyf"])
    font["hmtx"].metrics[name] = (round(glyphs[source].width), getattr(glyph, "xMin", 0))
    font["vmtx"].metrics[name] = (font["head"].unitsPerEm, 0)
    for table in font["cmap"].tables:
        if table.isUnicode():
            table.cmap[code] = name


main()
