"""Whether a model's `fit` takes weights."""

from sklearn import get_config
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping
from sklearn.utils.validation import has_fit_parameter

__all__ = ["accepts_weights"]


def accepts_weights(model):
    """Return whether `sample_weight` can be passed to the `fit` of a model.

    With metadata routing on, the model has to say whether it wants weights: as
    everywhere in scikit-learn, one that could take them and does not say is an error.
    """
    if not get_config()["enable_metadata_routing"]:
        return has_fit_parameter(model, "sample_weight")
    mapping = MethodMapping().add(caller="fit", callee="fit")
    router = MetadataRouter(owner="comparison").add(model=model, method_mapping=mapping)
    # The router looks at names only, and passes over what is None.
    routed = router.route_params(caller="fit", params={"sample_weight": ()})
    return "sample_weight" in routed.model.fit
