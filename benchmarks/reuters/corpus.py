"""Read Reuters-21578, ModApte split, from the forms in which people have it."""

import gzip
import html
import json
import re
from pathlib import Path
from typing import NamedTuple

import numpy as np


class Corpus(NamedTuple):
    """Texts, and labels as 0/1 matrices with a column for each category."""

    train: list
    y_train: np.ndarray
    test: list
    y_test: np.ndarray
    categories: list


def read_corpus(path):
    """Read the corpus: JSON lines, NLTK's folder, or the folder of SGML files.

    Parameters
    ----------
    path : path-like
        One of

        - a file of JSON lines (``.gz`` or not) with ``split`` ("train" or "test"; other
          lines are left out), ``topics`` (a list) and ``text``, in the order of ids;
        - NLTK's folder "reuters": ``cats.txt``, ``training/``, ``test/``;
        - the folder of the distribution: ``reut2-000.sgm`` to ``reut2-021.sgm``.

    Returns
    -------
    Corpus
        The categories are those with at least one training and one test document, 90;
        documents of none of them are left out.
    """
    path = Path(path)
    if path.is_file():
        documents = _json_lines(path)
    elif (path / "cats.txt").is_file():
        documents = _nltk(path)
    elif files := sorted(path.glob("reut2-*.sgm")):
        documents = _sgml(files)
    else:
        raise FileNotFoundError(
            "`--corpus` must be a file of JSON lines, NLTK's folder (with cats.txt) or "
            f"the folder of reut2-*.sgm, but {path} is none of them. "
            "benchmarks/reuters/README.md says where to get it."
        )
    documents = list(documents)
    topics = {
        split: {topic for s, labels, _ in documents if s == split for topic in labels}
        for split in ("train", "test")
    }
    categories = sorted(topics["train"] & topics["test"])
    kept = [d for d in documents if not set(categories).isdisjoint(d[1])]

    def half(split):
        rows = [(labels, text) for s, labels, text in kept if s == split]
        matrix = [[c in labels for c in categories] for labels, _ in rows]
        return [text for _, text in rows], np.array(matrix, dtype=np.uint8)

    return Corpus(*half("train"), *half("test"), categories)


def _json_lines(path):
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt") as lines:
        for line in lines:
            document = json.loads(line)
            yield document["split"], document["topics"], document["text"]


def _nltk(folder):
    splits = {"training": "train", "test": "test"}
    names = (folder / "cats.txt").read_text().splitlines()
    for name, *labels in sorted(map(str.split, names), key=_number):
        text = (folder / name).read_text(encoding="latin-1")
        yield splits[name.partition("/")[0]], labels, text


def _number(words):
    return int(words[0].rpartition("/")[2])


def _sgml(files):
    """Yield the documents that ModApte takes: those with topics, of both splits."""
    splits = {"TRAIN": "train", "TEST": "test"}
    for file in files:
        text = file.read_text(encoding="latin-1")
        for tag, content in re.findall(r"<REUTERS (.*?)>(.*?)</REUTERS>", text, re.S):
            fields = dict(re.findall(r'(\w+)="(.*?)"', tag))
            labels = re.findall(r"<D>(.*?)</D>", _between("TOPICS", content))
            if fields["TOPICS"] == "YES" and fields["LEWISSPLIT"] in splits and labels:
                title, body = _between("TITLE", content), _between("BODY", content)
                words = html.unescape(f"{title}\n{body}")
                words = re.sub(r"[^\S\n]+|[\x00-\x09\x0b-\x1f\x7f]", " ", words)
                words = re.sub(r"\s*\breuter\s*$", "", words, flags=re.I)
                yield splits[fields["LEWISSPLIT"]], labels, words


def _between(tag, content):
    match = re.search(rf"<{tag}>(.*?)</{tag}>", content, re.S)
    return match[1] if match else ""
