"""Intended changes since the golden outputs were recorded: the one list of them.

A recording keeps the names and words of the day it was made. When the library changes
one on purpose, say so here: cases then call the new name, and comparisons look for the
new field or word. Numbers stay as they are, unless `NUMBERS` gives the reason.

The recording was made anew once, when the pure core stood. Before that, all 456 cases
of the code before it (commit b5910ed) were compared with the new core, bit by bit.
What had changed, on purpose:

- Names: values with hyphens ("fold-mean", "monte-carlo", "mid-p", "iman-davenport"),
  "asymptotic" for "normal" (WilcoxonSignedRank), `credible_level` for `hdi_probability`
  and `decision_probability`, `CorrectedTTest(variance="naive")` for
  ``correction="none"``, `favors_a`, `center_`, `indistinguishable` for `groups`, "n.s."
  for "~", `test.extend(n)` for `result.extend(n)`, `recommend_test_for_models`.
- Sentences: the vocabulary of the field; tables with heads; printed text wraps.
- Numbers by rounding only (1e-15): neg_log_loss, whose classes are declared.
- Numbers by another method, after the core was compared: DeLong (Student's t),
  McNemar's default (mid-p with an interval that agrees), FiveByTwoCV's default
  (one-sided), Friedman's default (Iman and Davenport), ranking metrics with `cv` (means
  over folds), p-values and statistics of differences without variance (bounds),
  expected leads of searches, bootstrap draws of 1,000 to 65,536 distinct rows (drawing
  in pairs is gone).

Since then recorded anew, case by case:

- Words: "predictions" for "answers" in estimands and errors. Nothing else differed.
  "Is about" for "speaks of" in the advice ("recommend_test/neg_*").
- Words: null hypothesis and estimand of WilcoxonSignedRank with ``zero_method="pratt"``
  are about all differences, not those that are not 0.
- Numbers by other draws: posteriors of BayesianComparison and BayesianSignedRank, and
  reports that show them, since gamma variables are drawn as NumPy draws them.
- `power`: what a pilot leaves open is an interval that is given for simulations and for
  the pilot's own effect, too (recorded anew: "power/*", "cli/power*").
- `recommend_test` offers five times two folds from 300 rows on only (recorded anew:
  "recommend_test/models/cv").
- Posteriors, rankings and searches, recorded anew: bayes/* (prior of disagreements,
  mode, draws of each metric), BayesianCorrelatedTTest/* (mode), DeLong/* and
  pairs/cv/DeLong (within folds), search/* (intervals with the best, expected lead in
  the sentence), what is printed of every test of rows with `cv` (these models, not
  learning), cli/compare/refuses (spearman); bayes/independent/refuses asks for another
  metric, for accuracy is taken now.
- Sentences of advice, and options in place of Python in other questions of the command
  line (recorded anew: texts of "recommend_test/*" and "cli/advise*").

Recorded anew since, on purpose, with the cases that show it:

- bootstrap/*, cli/*, pairs/*, report/*, search/*: the default interval is the one that
  agrees with the p-value ("symmetric" beside "shift"), `method` names the rule, and for
  metrics that are neither counts of labels nor means of per-row scores that is
  "percentile". Groups or weights worth fewer than 30 even ones are warned of. Rules and
  intervals that disagree, and rare classes, are said in caveats.
- randomization/*: precision, balanced accuracy, kappa and Matthews' correlation are
  studentized; ranks are swapped for ranking metrics; unequal rates are warned of in F1.
- */equal_models and others without spread: the interval is a bound, and so is p.
- Tests of signs and ranks: the sentence gives the location.
- Signatures name every parameter as it was passed, so that they repeat the run. They
  are left out of texts here; tests/results/test_signature.py rebuilds tests from them.
- What is printed (bootstrap/*, randomization/*, bayes/*, pairs/*, cli/*, notebook/*): a
  caution in the sentence, a note on one-sided p-values, five digits of large numbers,
  gates that say what is shown, the test in the command of `advise`.
- What is printed (McNemar, SignTest, PairedTTest, WilcoxonSignedRank, pairs/*, latex):
  effect sizes in words, without those that are nan or repeat the difference; captions
  and labels of LaTeX tables; the caption of pairs, and others that are worse.
- Scorers whose sign is turned are called "neg_..." (*/trimmed, */generic, ter_scorer).
- pairs/*, report/*, notebook/pairs, cli/compare/models/*: how far each model is ahead
  of the best other. recommend_test/*: the advice names the cures that exist now.
- recommend_test/models/cv: advice with `cv` begins with whom it is about, these models
  or learning algorithms, and no longer ends with it.
- What is printed of tests without resamples, of pairs and of reports: tables name the
  statistic and sizes of effects in words, the better model of a pair comes first where
  the test is two-sided, and what is but a rounding error is 0.
- Numbers: a bootstrap p-value is at least that of as many equal signs as there are
  units on which the models differ (bootstrap/prefit/groups, pairs/*, and what shows
  them). Words: on how few rows of a class a score rests (bootstrap/few_rows,
  bootstrap/average_precision/weights).
- Words: advice prints other questions with their code on a line of its own and models
  as `a` and `b` (recommend_test/*); a search says how many candidates the best is
  significantly better than, points to SimplestNotWorse and names its metric (search*,
  to_dict/search); the legend of resampled differences (notebook/bootstrap).
- Words: `WildClusterBootstrap` for ``method='wild'`` (bootstrap/*, report/slices).
- */cv*, */fold_mean/*, FiveByTwoCV/models/*, CrossValidationCLT/*, NestedCVInterval/*
  and others with two models of one class: they are called "DecisionTreeClassifier A"
  and "DecisionTreeClassifier B".
- Words: it "keeps closer to its level" (bootstrap/* with uneven groups, report/slices);
  no `groups` "join rows" (recommend_test/*, cli/advise); what to bear in mind with a
  test that is checked (check_choice/bootstrap/few).
- Tests: groups count if they hold the class that a metric rests on, so that a few lead
  to swaps (recommend_test/roc_auc/groups, cli/advise/groups).
- Numbers: `detectable_effect` follows Student's t, or McNemar's exact power, is less
  than 0 for "less", and None where a test cannot reject or is not about the mean
  (bootstrap/*,
  randomization/*, mcnemar/*, SignTest/*, WilcoxonSignedRank/*, DeLong/less, and what
  prints it); `df` of PairedTTest/*; intervals of single scores stay inside the range of
  the metric (CrossValidationCLT/*, NestedCVInterval/groups).
- Words: the verdict of SignTest/* and WilcoxonSignedRank/* is about the median or
  pseudo-median; searches with data say that they ask two questions (search/*).
- What is printed: tables wider than a page break short texts, too, or set their rows
  one below the other (report/slices/text, report/text).
- Numbers by other draws: every bootstrap with cells of at most 24 units, whose units
  get looked-up Poisson counts that are made to add up (bootstrap/*, pairs/*, and what
  shows them). Only what resamples say differed: scores, differences, engines and
  permutation tests did not.
- Numbers: of the signs on which a bootstrap p-value rests only those count that move
  the score (bootstrap/prefit/groups: one group of two).
- Numbers: where so few rows differ that signs cannot reject, there is no minimum
  detectable effect, and a p-value of signs has no Monte Carlo error
  (bootstrap/few_rows, bootstrap/prefit/*, winner); no p-value of a model confidence set
  is below that of a pair in which the model is behind (pairs/*, to_dict/pairs);
  candidates with the scores of the best on all splits have no interval
  (search/several_metrics).
- Words: a search says which candidates are shown not to be the best (search*); on rare
  classes, what resamples and swaps do, and a caution (bootstrap/few_rows,
  check_choice/bootstrap/few).
- Numbers by rounding only (1e-16): bootstrap/multioutput_r2, whose outputs are averaged
  for all models in one array.
- Numbers: the highest-density interval of folds is that of Student's t as such, which a
  search came near to by 1e-8 (BayesianCorrelatedTTest/*). Candidates that always score
  the same do not exclude each other from being the best (search/bootstrap, search/data,
  search/several_metrics).
- Words: with ``add_one=False`` the p-value of the other rule is counted so, too, and
  decides otherwise (bootstrap/small_alpha).
- What is printed of pairs: p-values that are bounds have the sign of those of the same
  two models alone (pairs/randomization/*, pairs/groups/*, pairs/several_metrics,
  pairs/auto).
- Numbers by other draws: single units of bootstraps get Poisson counts that are looked
  up four at a time, not two (bootstrap/*, pairs/*, and what shows them). Only what
  resamples say differed: scores, differences, engines and permutation tests did not.
- `power` with groups and an effect: groups are exchanged whole (no case of its own).
- Words: an edit of all messages, caveats, notes and labels for plain English (about 500
  sentences; nothing else of these cases differed).
- Numbers by other draws: cells of 25 to 32 units are drawn unit by unit (bootstrap/*,
  FoldReplicability/bootstrap, pairs/auto, pairs/studentized).
- Numbers by other draws: bootstraps of cells, whose counts are looked up, and accepted
  by the count of the largest (bootstrap/*, pairs/*, and what shows them). Scores,
  differences, engines and permutation tests did not change.
- Words: counts of one are in the singular, and some that were the subject of a verb
  follow a colon (pairs/*, report/*, search/*, recommend_test/roc_auc/groups, cli/*).
- Words: a recommendation does not assume how it is called (recommend_test/models/*).
- Words: type I errors and effective sample sizes, in place of levels that are kept and
  what rows are worth (bootstrap/*/groups*, recommend_test/*, report/slices/*,
  cli/advise).
- Numbers: the trials of a score (`limits.n_trials`) are the effective number of rows,
  or groups, that the score depends on, by weight (bootstrap/*groups*,
  bootstrap/*weights*, bootstrap/multilabel_f1_micro, bootstrap/cv/repeated,
  from_frames). Intervals of fewer resamples than their level needs are infinite
  (bootstrap/few_resamples, pairs/groups/holm, pairs/studentized). Nothing else differed
  in numbers.
- Fields: `selection_bias` and `selection_bias_share` for "luck" (search*,
  to_dict/search); results have `weighted`, `n_strata` and `n_distinct`, and pairs
  `n_units` (all).
- Each of several metrics has its own estimand, `cv` and caveats (bootstrap/cv/strata).
- Words: estimands are of these rows, and of new rows like these, in every case that
  states one; code is in backticks, which the formats of reports mark; strata, weights
  and groups are in the sentence; pairs and ranks state the estimand of each pair; "A is
  right where B is wrong" (mcnemar/*); failed fits name the first error
  (CorrectedTTest/cv/failing); the advice, the power, the rare classes and the other
  rule of the bootstrap are edited (recommend_test/*, check_choice/*, power/*, cli/*).
- Words: adjusted p-values of max-t are bounds at their own smallest value only
  (pairs/randomization/max-t, pairs/groups/max-t, pairs/several_metrics); too few
  resamples for twice a tail are warned of (pairs/groups/holm); undefined resamples
  bound the p-value (bootstrap/sometimes).
- Pages: tables have classes for words and plots a least width; plots of McNemar's test
  and of disagreements have titles (report/*, notebook/*).
"""

# Names of the library that moved or are called otherwise: old -> new, with dots, as
# seen from `skcompare`, such as {"hdi": "stats.hdi"}.
NAMES = {}

# Parameters: old -> new, or (name of the class or function, old) -> new where only one
# of them changed, such as {("CorrectedTTest", "correction"): "variance"}.
PARAMETERS = {}

# Values of parameters: old spelling -> new spelling; or (name of the parameter, old
# spelling) -> new spelling. All places that hold such a word in a result follow.
VALUES = {}

# Arguments of the command line: old -> new, such as {"--jobs": "--n-jobs"}.
ARGUMENTS = {}

# Fields of results and attributes of fitted objects: old -> new; None if it is gone. A
# key with a dot is a pattern of a whole path, and then so is what it becomes, such as
# {"omnibus.df": "omnibus.degrees", "*.params.*": None}.
FIELDS = {}

# Words in results, by old field: {field: {old word: new word}}, such as
# {"decisions": {"~": "n.s."}}.
WORDS = {}

# Signatures have tests of their own, and are long: of texts they are left out.
SIGNATURE = (
    r"(?m)skcompare:VERSION(?:\||\\textbar)(?:.*\|\n)*.*?(?=</code>|\\par|$)",
    "SIGNATURE",
)

# Sentences of warnings, caveats and errors: old -> new, as regular expression and
# replacement of `re.sub`, applied in this order to what was recorded.
SENTENCES = [SIGNATURE]

# Cases whose texts (what is printed, reports, the command line) changed on purpose,
# with the reason; patterns of `fnmatch`. Their other fields are still compared.
TEXTS = {}

# Cases, or parts of them ("case:path"), whose numbers or words changed on purpose.
NUMBERS = {}

# Cases whose warnings changed on purpose, with the reason.
WARNINGS = {}
