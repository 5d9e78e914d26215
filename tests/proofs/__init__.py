"""The long proofs of `python -m tests.proof`, one module each: what is claimed, tried at full size, with figures."""
