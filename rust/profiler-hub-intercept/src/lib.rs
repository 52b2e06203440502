//! Runtime API dispatch tables: offering one, and wrapping those of HSA, HIP and ROCTx.
