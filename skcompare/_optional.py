"""Packages that only some features need."""

import importlib


def optional_import(module, extra):
    """Import a module, or say how to install it.

    Parameters
    ----------
    module : str
        The name of the module.
    extra : str
        The extra of skcompare that brings it.

    Returns
    -------
    module
        The module.

    Examples
    --------
    >>> optional_import("math", "all").sqrt(4)
    2.0
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.split(".")[0]
        raise ImportError(
            f"This needs {package}, which is not installed. Install it with "
            f"pip install {package}, or as pip install 'skcompare[{extra}]'."
        ) from error
