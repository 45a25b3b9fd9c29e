"""Draw the logo: ``python doc/draw_logo.py`` writes it, for light and dark pages.

Two bell curves, B behind and A ahead of it, and the bar of an interval that excludes 0.
"""

from math import exp
from pathlib import Path

FOLDER = Path(__file__).parent / "_static"
BLUE, ORANGE = "#0072b2", "#e69f00"  # of the displays: readable without color vision


def bell(center, width, height, base=48):
    """Return the path of a bell curve."""
    heights = (height * exp(-(((x - center) / width) ** 2)) for x in range(4, 61))
    line = " ".join(f"L{x} {base - y:.2f}" for x, y in enumerate(heights, start=4))
    return f"M4 {base} {line} L60 {base} Z"


def mark(ink):
    """Return the sign alone, 64 by 64."""
    return f"""\
  <path d="{bell(24, 10, 30)}" fill="{ORANGE}" fill-opacity="0.75"/>
  <path d="{bell(40, 10, 36)}" fill="{BLUE}" fill-opacity="0.85"/>
  <path class="ink" d="M4 48 H60" stroke="{ink}" stroke-width="2.5"
    stroke-linecap="round"/>
  <path d="M30 56 H52 M30 53 V59 M52 53 V59" stroke="{BLUE}" stroke-width="2.5"
    fill="none" stroke-linecap="round"/>
  <circle cx="41" cy="56" r="3.2" fill="{BLUE}"/>"""


def write(name, width, content):
    """Write one SVG."""
    (FOLDER / name).write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" role="img"\n'
        f'  viewBox="0 0 {width} 64" width="{width}" height="64">\n'
        f"  <title>skcompare</title>\n{content}\n</svg>\n"
    )


LIGHT, DARK = "#20242a", "#f2f2f2"
BOTH = (
    f"  <style>.ink {{ fill: {LIGHT}; stroke: {LIGHT} }}\n"
    "    text { stroke: none !important }\n"
    "    @media (prefers-color-scheme: dark) "
    f"{{ .ink {{ fill: {DARK}; stroke: {DARK} }} }}</style>\n"
)


def main():
    """Write the sign, and with the name: light, dark, and as the reader has it."""
    write("logo.svg", 64, mark("#444444"))
    for name, ink, style in (
        ("logo-wide-light.svg", LIGHT, ""),
        ("logo-wide-dark.svg", DARK, ""),
        ("logo-wide.svg", LIGHT, BOTH),
    ):
        text = (
            f'  <text class="ink" x="76" y="45" font-size="38" font-weight="600"\n'
            f'    fill="{ink}" textLength="206" font-family="system-ui, sans-serif">'
            "skcompare</text>"
        )
        write(name, 290, f"{style}{mark(ink)}\n{text}")


if __name__ == "__main__":
    main()
