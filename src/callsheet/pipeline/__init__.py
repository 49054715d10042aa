"""Stages, plan, resume: from a folder of films to labels."""
