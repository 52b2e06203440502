//! The pattern file of a cone checkout: read, extended and written in the one form that git writes.

use std::collections::BTreeSet;

/// What a pattern file says.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Patterns {
    /// Directories in cone form.
    Cone(Cone),
    /// Only `/*`: everything is part of the checkout.
    Everything,
    /// Anything else, with what was found first.
    Other(String),
}

/// The directories of a cone checkout, relative to the top of the work tree, without outer slashes.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Cone {
    leaves: BTreeSet<Vec<u8>>,
}

impl Patterns {
    /// Reads a pattern file as git does when cone mode is on.
    ///
    /// A file whose rewriting by `git sparse-checkout add` would change more than what is added
    /// counts as [`Patterns::Other`].
    pub(crate) fn parse(file: &[u8]) -> Self {
        let file = file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file);
        let lines: Vec<&[u8]> = file
            .split(|&byte| byte == b'\n')
            .map(|line| trim_spaces(line.strip_suffix(b"\r").unwrap_or(line)))
            .filter(|line| !line.is_empty() && !line.starts_with(b"#"))
            .collect();
        match lines.as_slice() {
            [b"/*"] => Self::Everything,
            [b"/*", b"!/*/", directories @ ..] => match cone(directories) {
                Ok(cone) => Self::Cone(cone),
                Err(what) => Self::Other(what),
            },
            _ => Self::Other("it does not begin with the lines /* and !/*/".to_owned()),
        }
    }
}

impl Cone {
    /// Whether everything under `directory` is part of the checkout.
    pub(crate) fn covers(&self, directory: &[u8]) -> bool {
        self.leaves.contains(directory) || ancestors(directory).any(|dir| self.leaves.contains(dir))
    }

    /// Whether files that lie directly in `directory` are part of the checkout.
    pub(crate) fn covers_files_of(&self, directory: &[u8]) -> bool {
        directory.is_empty() || self.covers(directory) || self.is_parent(directory)
    }

    fn is_parent(&self, directory: &[u8]) -> bool {
        let mut prefix = directory.to_vec();
        prefix.push(b'/');
        self.leaves
            .range(prefix.clone()..)
            .next()
            .is_some_and(|leaf| leaf.starts_with(&prefix))
    }

    /// Adds a directory with everything under it.
    pub(crate) fn add(&mut self, directory: &[u8]) {
        self.leaves.insert(directory.to_vec());
    }

    /// The file as git writes it: parents, then directories, each sorted, none under another.
    pub(crate) fn render(&self) -> Vec<u8> {
        let kept: Vec<&[u8]> = self
            .leaves
            .iter()
            .map(Vec::as_slice)
            .filter(|leaf| !ancestors(leaf).any(|dir| self.leaves.contains(dir)))
            .collect();
        let parents: BTreeSet<&[u8]> = kept.iter().flat_map(|leaf| ancestors(leaf)).collect();
        let mut file = b"/*\n!/*/\n".to_vec();
        for parent in parents {
            let parent = escape(parent);
            for part in [b"/", &parent[..], b"/\n!/", &parent[..], b"/*/\n"] {
                file.extend_from_slice(part);
            }
        }
        for leaf in kept {
            file.push(b'/');
            file.extend_from_slice(&escape(leaf));
            file.extend_from_slice(b"/\n");
        }
        file
    }
}

/// The directories above `path`, without the top: `a`, `a/b` for `a/b/c`.
pub(crate) fn ancestors(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    path.iter()
        .enumerate()
        .filter(|&(_, &byte)| byte == b'/')
        .filter_map(|(at, _)| path.get(..at))
}

/// The directory of `path`; the top is empty.
pub(crate) fn directory_of(path: &[u8]) -> &[u8] {
    let end = path.iter().rposition(|&byte| byte == b'/').unwrap_or(0);
    path.get(..end).unwrap_or_default()
}

/// A name with the characters that a pattern gives a meaning taken as they are.
pub(crate) fn escape(name: &[u8]) -> Vec<u8> {
    let mut escaped = Vec::with_capacity(name.len());
    for &byte in name {
        if is_special(byte) {
            escaped.push(b'\\');
        }
        escaped.push(byte);
    }
    escaped
}

fn is_special(byte: u8) -> bool {
    matches!(byte, b'*' | b'?' | b'[' | b'\\')
}

fn unescape(pattern: &[u8]) -> Result<Vec<u8>, String> {
    let mut name = Vec::with_capacity(pattern.len());
    let mut bytes = pattern.iter();
    while let Some(&byte) = bytes.next() {
        match (byte, is_special(byte)) {
            (b'\\', _) => match bytes.next() {
                Some(&next) if is_special(next) => name.push(next),
                _ => return Err(not_a_directory(pattern)),
            },
            (_, true) => return Err(not_a_directory(pattern)),
            (_, false) => name.push(byte),
        }
    }
    Ok(name)
}

fn cone(lines: &[&[u8]]) -> Result<Cone, String> {
    let mut leaves = BTreeSet::new();
    let mut parents = BTreeSet::new();
    for line in lines {
        let negative = line
            .strip_prefix(b"!")
            .and_then(|line| line.strip_suffix(b"/*/"));
        let positive = line.strip_suffix(b"/");
        let name = match (negative, positive) {
            (Some(name), _) | (None, Some(name)) => name,
            (None, None) => return Err(not_a_directory(line)),
        };
        let name = match name.strip_prefix(b"/") {
            Some(name) if !name.is_empty() => unescape(name)?,
            _ => return Err(not_a_directory(line)),
        };
        let in_order = if negative.is_some() {
            leaves.remove(&name) && parents.insert(name)
        } else {
            !parents.contains(&name) && leaves.insert(name)
        };
        if !in_order {
            return Err(format!(
                "the line {} is out of order",
                String::from_utf8_lossy(line)
            ));
        }
    }
    let cone = Cone { leaves };
    let covered = |dir: &[u8]| ancestors(dir).any(|above| cone.leaves.contains(above));
    let expected: BTreeSet<&[u8]> = cone
        .leaves
        .iter()
        .filter(|leaf| !covered(leaf))
        .flat_map(|leaf| ancestors(leaf))
        .collect();
    let found: BTreeSet<&[u8]> = parents
        .iter()
        .map(Vec::as_slice)
        .filter(|parent| !covered(parent))
        .collect();
    if let Some(parent) = expected.symmetric_difference(&found).next() {
        return Err(format!(
            "the parent /{}/ and the directories do not go together",
            String::from_utf8_lossy(parent)
        ));
    }
    Ok(cone)
}

fn not_a_directory(line: &[u8]) -> String {
    format!(
        "the line {} is not a directory in cone form",
        String::from_utf8_lossy(line)
    )
}

/// Cuts the spaces at the end of a line that no backslash holds.
fn trim_spaces(mut line: &[u8]) -> &[u8] {
    while let Some(shorter) = line.strip_suffix(b" ") {
        let backslashes = shorter
            .iter()
            .rev()
            .take_while(|&&byte| byte == b'\\')
            .count();
        if backslashes % 2 == 1 {
            break;
        }
        line = shorter;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (file, what adding `a/new` makes of it; `None` where git has to decide)
    const FILES: &[(&str, Option<&str>)] = &[
        ("/*\n!/*/\n", Some("/*\n!/*/\n/a/\n!/a/*/\n/a/new/\n")),
        ("/*\n!/*/\n/a/\n", Some("/*\n!/*/\n/a/\n")),
        (
            "/*\n!/*/\n/a/\n!/a/*/\n/a/b/\n",
            Some("/*\n!/*/\n/a/\n!/a/*/\n/a/b/\n/a/new/\n"),
        ),
        (
            "# mine\r\n/*\n!/*/  \n\n/z/",
            Some("/*\n!/*/\n/a/\n!/a/*/\n/a/new/\n/z/\n"),
        ),
        (
            "/*\n!/*/\n/a\\*\\\\/\n",
            Some("/*\n!/*/\n/a/\n!/a/*/\n/a\\*\\\\/\n/a/new/\n"),
        ),
        ("/*\n!/*/\n/a/new/deep/\n", None),
        ("/*\n!/*/\n/p/\n!/p/*/\n", None),
        ("/*\n!/*/\n!/p/*/\n/p/\n", None),
        ("/*\n!/*/\n/p/*.c\n", None),
        ("/*\n!/*/\n/p\n", None),
        ("/*\n!/*/\n/p*/\n", None),
        ("/*\n!/*/\n/p\\x/\n", None),
        ("!/*/\n/*\n", None),
        ("*.c\n", None),
        ("", None),
    ];

    #[test]
    fn adding_writes_the_form_of_git_or_leaves_the_file_to_git() {
        for (file, expected) in FILES {
            let written = match Patterns::parse(file.as_bytes()) {
                Patterns::Cone(mut cone) => {
                    cone.add(b"a/new");
                    Some(String::from_utf8(cone.render()).unwrap())
                }
                _ => None,
            };
            assert_eq!(written.as_deref(), *expected, "{file:?}");
        }
        assert_eq!(Patterns::parse(b"/*\n"), Patterns::Everything);
    }

    #[test]
    fn what_a_cone_covers() {
        let file = b"/*\n!/*/\n/a/\n!/a/*/\n/a-b/\n/a/b/\n";
        let Patterns::Cone(cone) = Patterns::parse(file) else {
            panic!("a cone")
        };
        for (directory, whole, files) in [
            ("", false, true),
            ("a", false, true),
            ("a/b", true, true),
            ("a/b/c/d", true, true),
            ("a/bc", false, false),
            ("a-b", true, true),
            ("a-", false, false),
            ("x", false, false),
        ] {
            assert_eq!(cone.covers(directory.as_bytes()), whole, "{directory}");
            assert_eq!(
                cone.covers_files_of(directory.as_bytes()),
                files,
                "{directory}"
            );
        }
        assert_eq!(cone.render(), file);
    }
}
