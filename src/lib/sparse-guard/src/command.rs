//! Commands as a person types them.

use crate::cone::escape;

/// A command line for a POSIX shell.
pub(crate) fn shown<'a>(words: impl IntoIterator<Item = &'a [u8]>) -> String {
    let words: Vec<String> = words
        .into_iter()
        .map(|word| {
            // A file name holds no NUL, the only byte that cannot be quoted.
            let quoted = shlex::bytes::try_quote(word).unwrap_or_default();
            String::from_utf8_lossy(&quoted).into_owned()
        })
        .collect();
    words.join(" ")
}

/// The arguments by which `git sparse-checkout add` takes these directories into a cone.
///
/// git trims spaces, takes a dash as an option, and (`checked`) refuses names with characters that
/// a pattern gives a meaning unless it is told to leave the checks.
pub(crate) fn cone_arguments(directories: &[&[u8]], checked: &dyn Fn() -> bool) -> Vec<Vec<u8>> {
    let space = |byte: Option<&u8>| byte.is_some_and(|byte| b" \t\r\n".contains(byte));
    let mut arguments = vec![b"sparse-checkout".to_vec(), b"add".to_vec()];
    let leading = |directory: &[u8]| space(directory.first());
    let suspect = |directory: &&[u8]| {
        leading(directory)
            || directory.starts_with(b"!")
            || directory.iter().any(|byte| b"*?[]".contains(byte))
    };
    if directories.iter().any(suspect) && checked() {
        arguments.push(b"--skip-checks".to_vec());
    }
    if directories
        .iter()
        .any(|directory| directory.starts_with(b"-"))
    {
        arguments.push(b"--".to_vec());
    }
    arguments.extend(directories.iter().map(|directory| {
        let mut argument = Vec::with_capacity(directory.len() + 2);
        if leading(directory) {
            argument.push(b'/');
        }
        argument.extend_from_slice(directory);
        if space(directory.last()) {
            argument.push(b'/');
        }
        argument
    }));
    arguments
}

/// The pattern that includes exactly one path where the patterns are not in cone form.
pub(crate) fn pattern(path: &[u8], is_directory: bool) -> Vec<u8> {
    let mut pattern = b"/".to_vec();
    pattern.extend(escape(path));
    if is_directory {
        pattern.push(b'/');
    } else if pattern.ends_with(b" ") {
        // A space at the end of a line counts only behind a backslash.
        pattern.pop();
        pattern.extend_from_slice(b"\\ ");
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (directories, whether git checks its arguments, the command)
    const COMMANDS: &[(&[&str], bool, &str)] = &[
        (&["rust", "cmake"], true, "sparse-checkout add rust cmake"),
        (
            &["sp ace", "it's"],
            true,
            "sparse-checkout add 'sp ace' \"it's\"",
        ),
        (&["-dash"], true, "sparse-checkout add -- -dash"),
        (
            &["we[i]rd"],
            true,
            "sparse-checkout add --skip-checks 'we[i]rd'",
        ),
        (&["we[i]rd"], false, "sparse-checkout add 'we[i]rd'"),
        (
            &[" lead", "trail "],
            true,
            "sparse-checkout add --skip-checks '/ lead' 'trail /'",
        ),
    ];

    #[test]
    fn commands_that_git_takes_as_they_are_meant() {
        for (directories, checked, expected) in COMMANDS {
            let directories: Vec<&[u8]> = directories.iter().map(|dir| dir.as_bytes()).collect();
            let arguments = cone_arguments(&directories, &|| *checked);
            assert_eq!(shown(arguments.iter().map(Vec::as_slice)), *expected);
        }
        assert_eq!(pattern(b"a/b*", true), b"/a/b\\*/");
        assert_eq!(pattern(b"a/b ", false), b"/a/b\\ ");
    }
}
