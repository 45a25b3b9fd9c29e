"""Code in messages, typed as options of the command line."""

import pytest

from skcompare.cli._options import with_option_names


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("`alpha` is 0.1, not `alpha=0.05`.", "--alpha is 0.1, not --alpha 0.05."),
        ("Set `alternative='two-sided'`.", "Set --alternative two-sided."),
        ("`y_preds['nb']` has labels", "--models nb has labels"),
        (
            "McNemar and `McNemar` are tests",
            "--test mcnemar and --test mcnemar are tests",
        ),
        (
            "pass `test=McNemar(alternative='less')`",
            "pass --test mcnemar --alternative less",
        ),
        ("`random_state=12345` repeats it", "--seed 12345 repeats it"),
        ("PairwiseComparison corrects", "--models corrects"),
    ],
)
def test_code_in_messages_becomes_options(text, typed):
    assert with_option_names(text) == typed


@pytest.mark.parametrize(
    "text",
    [
        "Target is multiclass but average='binary'.",
        "method='x', scoring='f1' and test=True",
        "Got PairedTTest(alternative='two-sided')",
        "McNemar's test, DeLong's variance",
        "`groups=np.arange(400) // 5`, `estimator_a`, `x`, `cv=5`, `McNemar(cv=5)`",
        "The 'groups' parameter should not be None.",
    ],
)
def test_all_other_text_is_left_as_it_is(text):
    assert with_option_names(text) == text
