//! How several sets of counters are used.

/// Iteration multiplexing: which dispatch gets the next set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Multiplexing {
    /// Always the first set.
    #[default]
    Off,
    /// The next set at each dispatch on the agent.
    Simple,
    /// The next set at each dispatch of that kernel on that agent.
    Kernel,
    /// The same per kernel, queue, grid, workgroup and LDS size.
    KernelLaunchParams,
}

impl Multiplexing {
    /// Parses the value of the variable.
    ///
    /// # Errors
    /// What is expected.
    pub fn parse(text: &str) -> Result<Self, String> {
        match text {
            "simple" => Ok(Self::Simple),
            "kernel" => Ok(Self::Kernel),
            "kernel_launch_params" => Ok(Self::KernelLaunchParams),
            _ => Err("expected `simple`, `kernel` or `kernel_launch_params`".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_ways_are_known_and_nothing_else() {
        assert_eq!(Multiplexing::parse("simple"), Ok(Multiplexing::Simple));
        assert_eq!(Multiplexing::parse("kernel"), Ok(Multiplexing::Kernel));
        assert_eq!(
            Multiplexing::parse("kernel_launch_params"),
            Ok(Multiplexing::KernelLaunchParams)
        );
        for text in ["off", "Simple", " simple", "kernel,simple", "1"] {
            assert!(Multiplexing::parse(text).is_err(), "{text:?}");
        }
    }
}
