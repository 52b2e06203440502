//! Which kernels are counted: a regex, searched in the kernel's demangled name.

use std::borrow::Cow;

use cpp_demangle::{DemangleOptions, Symbol};
use regex::bytes::{Regex, RegexBuilder};

/// A regex in the syntax of the `regex` crate: no look-around, no back-references. `\w`, `\d`, `\s`
/// and `\b` are ASCII's, and so is ignoring case.
#[derive(Debug)]
pub struct KernelFilter(Regex);

impl KernelFilter {
    /// Compiles the regex.
    ///
    /// # Errors
    /// Why it is none.
    pub fn parse(text: &str) -> Result<Self, String> {
        // Without Unicode's tables the library is a third smaller.
        RegexBuilder::new(text)
            .unicode(false)
            .build()
            .map(Self)
            .map_err(|error| {
                let text = error.to_string();
                // The last line is the reason; those above draw an arrow.
                let reason = text
                    .lines()
                    .last()
                    .unwrap_or_default()
                    .trim_start_matches("error: ")
                    .to_owned();
                format!("expected a regex in the syntax of Rust's regex crate ({reason})")
            })
    }

    /// Whether a kernel is counted, by its name as [`searchable_name`] gives it.
    #[must_use]
    pub fn includes(&self, name: &[u8]) -> bool {
        self.0.is_match(name)
    }
}

/// The demangled name without return type and argument list, as of `c++filt -p` but for literals of
/// an own type (`(unsigned long)1` for `1ul`); a name that is not mangled, or cannot be demangled, stays as it is. The `.kd` of a kernel descriptor is left out.
#[must_use]
pub fn searchable_name(symbol: &[u8]) -> Cow<'_, [u8]> {
    let name = symbol.strip_suffix(b".kd").unwrap_or(symbol);
    if !name.starts_with(b"_Z") {
        return Cow::Borrowed(name);
    }
    let options = DemangleOptions::new().no_params().no_return_type();
    match Symbol::new(name)
        .ok()
        .and_then(|symbol| symbol.demangle_with_options(&options).ok())
    {
        Some(demangled) => Cow::Owned(demangled.into_bytes()),
        None => Cow::Borrowed(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected names are those of `c++filt -p`, but for `1ul`.
    #[test]
    fn names_are_demangled_without_arguments() {
        let cases: [(&str, &str); 6] = [
            ("_Z5vcopyPdS_i.kd", "vcopy"),
            ("_Z5vcopyPdS_i", "vcopy"),
            ("_Z1kIiEvT_.kd", "k<int>"),
            (
                "_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_11FillFunctorIfEESt5arrayIPcLm1EEEEviT0_T1_",
                "at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, std::array<char*, (unsigned long)1> >",
            ),
            ("plain_c_kernel.kd", "plain_c_kernel"),
            ("_Znonsense", "_Znonsense"),
        ];
        for (symbol, expected) in cases {
            assert_eq!(
                String::from_utf8_lossy(&searchable_name(symbol.as_bytes())),
                expected
            );
        }
    }

    #[test]
    fn the_regex_is_searched_not_matched() {
        let filter = KernelFilter::parse(r"copy\b").unwrap();
        assert!(filter.includes(b"vcopy"));
        assert!(filter.includes(b"ns::copy<int>"));
        assert!(!filter.includes(b"vcopyx"));
        let anchored = KernelFilter::parse(r"^k<\w+>$").unwrap();
        assert!(anchored.includes(&searchable_name(b"_Z1kIiEvT_")));
        // Any byte may be in a name.
        assert!(KernelFilter::parse("a.b").unwrap().includes(b"a\xffb"));
        assert!(
            KernelFilter::parse("ü")
                .unwrap()
                .includes("über".as_bytes())
        );
    }

    #[test]
    fn what_is_no_regex_is_refused_in_one_line() {
        for text in ["(", "a{2,1}", "[z-a]", r"(?=x)", r"(a)\1", "*"] {
            let error = KernelFilter::parse(text).unwrap_err();
            assert!(!error.contains('\n'), "{error}");
        }
    }
}
