"""Documents in LaTeX, to be included in other documents."""

import re

from skcompare.results._document import Writer, one_line, with_code

# Maximum number of characters of a cell that stays on one line; longer ones wrap.
LONGEST_UNBROKEN = 40
MOST_LABEL_WORDS = 8
LONG = r"p{0.3\linewidth}"

_ESCAPES = str.maketrans(
    {character: f"\\{character}" for character in "{}$&#_%"}
    | {
        "\\": r"\textbackslash{}",
        "^": r"\textasciicircum{}",
        "~": r"\textasciitilde{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        "`": r"{\char96}",
        '"': r"{\char34}",
    }
)


class LatexWriter(Writer):
    r"""Formats LaTeX without a preamble, for ``\input``; tables need booktabs."""

    suffixes = (".tex",)

    def __init__(self):
        self._labels, self._caption = {}, ""

    def write(self, document):
        """Format a document, with the required package in the first line.

        Parameters
        ----------
        document : Document
            The document to format.

        Returns
        -------
        str
            The LaTeX.
        """
        return "% Needs \\usepackage{booktabs}.\n\n" + super().write(document)

    def title(self, title):
        """Format the title of a document."""
        return rf"\section*{{{_escaped(title)}}}"

    def heading(self, title):
        """Format the title of a section."""
        return rf"\subsection*{{{_escaped(title)}}}"

    def section(self, section):
        """Format a section; its title is the caption of tables without a caption."""
        self._caption = section.title or section.about
        return super().section(section)

    def _label(self, caption):
        """Return a unique label made of the words of a caption."""
        words = re.findall("[a-z0-9]+", caption.lower())[:MOST_LABEL_WORDS]
        label = "tab:" + "-".join(words)
        self._labels[label] = self._labels.get(label, 0) + 1
        return label if self._labels[label] == 1 else f"{label}-{self._labels[label]}"

    def paragraph(self, block):
        """Format a paragraph."""
        return _marked(block.text)

    def notes(self, block):
        """Format notes as a list."""
        title = [rf"\noindent\textbf{{{_escaped(block.title)}}}"] if block.title else []
        items = [rf"  \item {{}}{_marked(line)}" for line in block.lines]
        return "\n".join([*title, r"\begin{itemize}", *items, r"\end{itemize}"])

    def code(self, block):
        """Format code that may be broken after each of its parts."""
        code = _escaped(block.text, signs=False)
        code = code.replace(r"\textbar{}", r"\textbar{}\allowbreak{}")
        return rf"{{\raggedright\footnotesize\ttfamily {code}\par}}"

    def table(self, table):
        """Format a table: numbers right-aligned, long texts in several lines."""
        sides, caption = [], table.caption or self._caption
        for place, number in enumerate(table.numeric):
            cells = [table.columns[place], *(row[place] for row in table.rows)]
            longest = max(len(one_line(cell)) for cell in cells)
            text = "l" if longest <= LONGEST_UNBROKEN else LONG
            sides.append("r" if number else text)
        lines = [
            r"\begin{table}[htbp]",
            r"\centering",
            rf"\caption{{{_escaped(caption)}}}" if caption else "",
            rf"\label{{{self._label(caption)}}}" if caption else "",
            rf"\begin{{tabular}}{{{''.join(sides)}}}",
            r"\toprule",
            _row(map(_escaped, table.columns)),
            r"\midrule",
            *(_row(map(_cell, row, sides)) for row in table.rows),
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
        ]
        return "\n".join(filter(None, lines))


def _marked(text):
    r"""Escape a text, and mark the code in it.

    Examples
    --------
    >>> print(_marked("Not < 0.1 with `n_splits=-1`."))
    Not \textless{} 0.1 with \texttt{n\_splits=-1}.
    """
    return with_code(
        text, _translated, lambda code: rf"\texttt{{{_translated(code, signs=False)}}}"
    )


def _escaped(text, signs=True):
    r"""Escape characters with a special meaning in LaTeX, and format signs.

    Examples
    --------
    >>> print(_escaped("50 % of $x_1$"), _escaped("p <= 0.01, -0.2 +/- 0.1"))
    50 \% of \$x\_1\$ p $\le$ 0.01, $-$0.2 $\pm$ 0.1
    """
    return _translated(one_line(text), signs)


def _translated(text, signs=True):
    escaped = re.sub("-(?=-)", "-{}", text.translate(_ESCAPES))
    if not signs:
        return escaped
    escaped = escaped.replace(r"\textless{}=", r"$\le$").replace("+/-", r"$\pm$")
    return re.sub(r"(?<![^\[( ])-(?=\d)", "$-$", escaped)


def _cell(text, side):
    """Format a cell; numbers, in brackets or not, get a minus instead of a hyphen.

    Examples
    --------
    >>> print(_cell("[-0.0220, 0.1819]", "l"), _cell("gpt-4", "l"), _cell("a_b", LONG))
    [$-$0.0220, 0.1819] gpt-4 a\\_\\allowbreak{}b
    """
    cell = _escaped(text)
    return cell.replace(r"\_", r"\_\allowbreak{}") if side == LONG else cell


def _row(cells):
    return " & ".join(f"{{{cell}}}" for cell in cells) + r" \\"
