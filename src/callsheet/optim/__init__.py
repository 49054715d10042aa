"""The engine: discriminative clustering under linear quotas, with a certificate."""
