"""Labels made: names per film, actions over all films, rounding, abstention, rivals."""
