"""How like are recto's page pictures to PyMuPDF's? See README.md."""

import subprocess
import sys

import numpy
import pymupdf

from documents import PAGES, PERF, development, difficult

# File and page (from 1) -> why the pictures may differ.
LISTED = {}

REDUCTION = 3  # 144 dpi -> 48 dpi
WINDOW = 7


def recto_pictures(path):
    """Height x width x 3 arrays of the first pages."""
    out = subprocess.run([PERF, "pictures", str(PAGES), path], stdout=subprocess.PIPE, check=True).stdout
    at = 0
    while at < len(out):
        end = out.index(b"\n", at) + 1
        _, width, height, _ = out[at:end].split()
        size = int(width) * int(height) * 3
        yield numpy.frombuffer(out, numpy.uint8, size, end).reshape(int(height), int(width), 3)
        at = end + size


def peer_pictures(path):
    document = pymupdf.open(path)
    for page in document.pages(0, min(PAGES, len(document))):
        picture = page.get_pixmap(matrix=pymupdf.Matrix(2, 2), alpha=False)
        yield numpy.frombuffer(picture.samples, numpy.uint8).reshape(picture.height, picture.width, 3)


def reduced_luma(picture):
    luma = picture @ numpy.array([0.299, 0.587, 0.114])
    height, width = (side // REDUCTION for side in luma.shape)
    cut = luma[: height * REDUCTION, : width * REDUCTION]
    return cut.reshape(height, REDUCTION, width, REDUCTION).mean((1, 3))


def window_means(values):
    total = numpy.zeros((values.shape[0] + 1, values.shape[1] + 1))
    total[1:, 1:] = values.cumsum(0).cumsum(1)
    n = WINDOW
    return (total[n:, n:] - total[:-n, n:] - total[n:, :-n] + total[:-n, :-n]) / n**2


def likeness(a, b):
    """Mean structural similarity (Wang et al. 2004), 7 x 7 windows of equal weight."""
    if min(a.shape) < WINDOW:
        return 1.0
    unbiased = WINDOW**2 / (WINDOW**2 - 1)
    mean_a, mean_b = window_means(a), window_means(b)
    var_a = unbiased * (window_means(a * a) - mean_a**2)
    var_b = unbiased * (window_means(b * b) - mean_b**2)
    covariance = unbiased * (window_means(a * b) - mean_a * mean_b)
    c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    same = (2 * mean_a * mean_b + c1) * (2 * covariance + c2)
    return (same / ((mean_a**2 + mean_b**2 + c1) * (var_a + var_b + c2))).mean()


def compare(path):
    """Yields (page, likeness) with 0 for pictures of unequal size."""
    pairs = zip(recto_pictures(path), peer_pictures(path), strict=True)
    for page, (ours, theirs) in enumerate(pairs, 1):
        equal = ours.shape == theirs.shape
        yield page, likeness(reduced_luma(ours), reduced_luma(theirs)) if equal else 0.0


def main():
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    scores, failures, unread = [], [], []
    for path in development() + difficult():
        try:
            for page, score in compare(path):
                scores.append(score)
                if score < 0.9 and (path.name, page) not in LISTED:
                    failures.append(f"{score:.3f} {path.name} p. {page}")
        except (subprocess.CalledProcessError, RuntimeError, ValueError) as error:
            unread.append(f"{path.name}: {error}")
    scores = numpy.array(scores)
    print(f"pages {len(scores)}, mean {scores.mean():.4f}, median {numpy.median(scores):.4f}, "
          f"10 % below {numpy.quantile(scores, 0.1):.4f}, least {scores.min():.4f}")
    print("not compared:", *unread, sep="\n  ")
    print("unlisted below 0.9:", *failures, sep="\n  ")
    sys.exit(1 if failures or scores.mean() < 0.99 else 0)


if __name__ == "__main__":
    main()
