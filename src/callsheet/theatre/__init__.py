"""Puppet films with known truth: `stage` makes pictures, `world` only tables."""
