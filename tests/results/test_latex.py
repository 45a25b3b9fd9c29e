"""Tables in LaTeX can be cited, and their signs are signs."""

import re

from skcompare import PairedBootstrap
from skcompare.results import Document, Section, Table, write


def test_tables_have_captions_and_labels_of_their_own():
    rows = [("delta", "-0.1", "+/- 0.2"), ("p", "<= 0.01", "")]
    table = Table(rows, ("quantity", "value", "error"))
    sections = (Section("A against B", (table, table)),)
    text = write(Document("", sections), "latex")
    assert text.count(r"\caption{A against B}") == 2
    labels = re.findall(r"\\label{(.*?)}", text)
    assert labels == ["tab:a-against-b", "tab:a-against-b-2"]


def test_signs_are_the_same_in_sentences_and_tables():
    truth = [0, 1] * 30
    test = PairedBootstrap(n_resamples=99, random_state=0)
    result = test.fit_predictions(truth, [0] * 60, truth).result_
    text = write(Document("", (result.section(),)), "latex")
    body = text.partition("ttfamily")[0]
    assert "$-$0.5" in body
    assert not re.search(r"[ \[(]-\d", body)
    assert r"\textless{}=" not in body
    assert "+/-" not in body
