#!/usr/bin/env python3
"""Makes crates/recto-ingest/assets/Fallback.ttf: Droid Sans Fallback with the Latin letters, digits and signs of Roboto,
which it lacks. Both fonts are under the Apache License 2.0.

usage: make-fallback-font.py DroidSansFallbackFull.ttf Roboto-Regular.ttf OUT.ttf

The inputs are those of Debian's packages fonts-droid-fallback and fonts-roboto-unhinted; needs fonttools from PyPI.
"""

import sys

from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont
from fontTools.ttLib.scaleUpem import scale_upem

WANTED = [*range(0x20, 0x7F), *range(0xA0, 0x100), *range(0x2010, 0x2028), 0x2030, 0x2032, 0x2033, 0x20AC, 0x2122]


def main():
    base, latin, out = sys.argv[1:]
    font, roboto = TTFont(base, recalcTimestamp=False), TTFont(latin)
    scale_upem(roboto, font["head"].unitsPerEm)
    glyphs, names = roboto.getGlyphSet(), roboto.getBestCmap()
    for code in WANTED:
        if code in names and code not in font.getBestCmap():
            add(font, glyphs, names[code], code)
    for table in ("fpgm", "prep", "cvt ", "gasp", "GDEF", "GPOS", "GSUB"):
        if table in font:
            del font[table]
    for record in font["name"].names:
        if record.nameID in (1, 4, 6):
            record.string = "Recto Fallback" if record.nameID != 6 else "RectoFallback"
    font.save(out)


def add(font, glyphs, source, code):
    """Adds the outline of glyph `source`, composites taken apart, for the character `code`."""
    name = f"latin{code:04X}"
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
