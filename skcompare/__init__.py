from skcompare import exceptions, metrics
from skcompare.comparison import *
from skcompare.comparison import (
    ApproxRandomization,
    CochranQ,
    DeLong,
    FriedmanTest,
    McNemar,
    PairedBootstrap,
    PairedTTest,
    SignTest,
    WilcoxonSignedRank,
)
