"""Whether a model's `fit` takes weights."""

from sklearn import get_config
from sklearn.utils.metadata_routing import get_routing_for_object
from sklearn.utils.validation import has_fit_parameter

__all__ = ["accepts_weights"]


def accepts_weights(model):
    """Return whether `sample_weight` can be passed to the `fit` of a model.

    With metadata routing on, the model has to have asked for it.
    """
    if not get_config()["enable_metadata_routing"]:
        return has_fit_parameter(model, "sample_weight")
    routing = get_routing_for_object(model)
    return "sample_weight" in routing.consumes("fit", ["sample_weight"])
