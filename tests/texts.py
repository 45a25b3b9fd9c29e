"""Printed texts, read back."""

import re


def unbroken(text):
    """Return a text whose lines of code and signatures are not broken."""
    return re.sub(r"(?<=,)\n +", " ", re.sub(r"(?<=\|)\n +", "", text))
