//! Whether git would write a file otherwise than it is stored: filters, encodings, line ends.
//!
//! Such files are git's business. To ask libgit2 about every file costs more than to write them, so
//! the attribute files are searched first for lines that could ask for a conversion at all.

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use git2::{AttrCheckFlags, AttrValue, Repository};

use crate::cone::{ancestors, directory_of};
use crate::survey::{Entry, place};

/// The attributes that change what is written to the work tree.
const CONVERTING: [&str; 4] = ["filter", "working-tree-encoding", "ident", "eol"];

/// The first reason found why one of `wanted` would be converted.
///
/// `attributes` are the `.gitattributes` entries of the index.
pub(crate) fn conversion(
    repository: &Repository,
    top: &Path,
    attributes: &[Entry],
    wanted: &[Entry],
) -> Result<Option<String>, git2::Error> {
    let config = repository.config()?;
    if config.get_bool("core.autocrlf").unwrap_or(false) {
        return Ok(Some("core.autocrlf is true".to_owned()));
    }
    if config
        .get_string("core.eol")
        .is_ok_and(|eol| eol.eq_ignore_ascii_case("crlf"))
    {
        return Ok(Some("core.eol is crlf".to_owned()));
    }
    let mut selectors = Vec::new();
    let directories: BTreeSet<&[u8]> = wanted
        .iter()
        .flat_map(|entry| ancestors(&entry.path))
        .chain([&b""[..]])
        .collect();
    let mut in_index = BTreeSet::new();
    for entry in attributes {
        let directory = directory_of(&entry.path);
        if !directories.contains(directory) {
            continue;
        }
        in_index.insert(directory);
        let Some(id) = entry.id else { continue };
        match repository.odb()?.read(id) {
            Ok(object) => select(object.data(), &mut selectors),
            Err(_) => {
                let path = String::from_utf8_lossy(&entry.path).into_owned();
                return Ok(Some(format!("{path} is not in this clone")));
            }
        }
    }
    let beside = directories
        .iter()
        .filter(|directory| !in_index.contains(*directory))
        .map(|directory| place(top, directory).join(".gitattributes"));
    for file in beside.chain(outside_of_the_tree(repository, &config)) {
        if let Ok(content) = fs::read(file) {
            select(&content, &mut selectors);
        }
    }
    for entry in wanted {
        let selected = || {
            selectors
                .iter()
                .any(|selector| selector.selects(&entry.path))
        };
        if entry.is_blob()
            && selected()
            && let Some(reason) = asked_for(repository, &entry.path)?
        {
            return Ok(Some(reason));
        }
    }
    Ok(None)
}

fn outside_of_the_tree(repository: &Repository, config: &git2::Config) -> Vec<PathBuf> {
    let user = || {
        let home = || Some(PathBuf::from(env::var_os("HOME")?).join(".config"));
        let config = env::var_os("XDG_CONFIG_HOME")
            .map(PathBuf::from)
            .or_else(home);
        Some(config?.join("git/attributes"))
    };
    [
        Some(repository.commondir().join("info/attributes")),
        config.get_path("core.attributesFile").ok().or_else(user),
        Some(PathBuf::from("/etc/gitattributes")),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Which files a line of an attribute file may be about.
#[derive(Debug, PartialEq, Eq)]
enum Selector {
    Suffix(Vec<u8>),
    Any,
}

impl Selector {
    fn selects(&self, path: &[u8]) -> bool {
        match self {
            Self::Suffix(suffix) => path.ends_with(suffix),
            Self::Any => true,
        }
    }
}

fn select(content: &[u8], selectors: &mut Vec<Selector>) {
    for line in content.split(|&byte| byte == b'\n') {
        let mut words = line
            .split(u8::is_ascii_whitespace)
            .filter(|word| !word.is_empty());
        let Some(pattern) = words.next() else {
            continue;
        };
        if pattern.starts_with(b"#") || !words.any(may_convert) {
            continue;
        }
        let literal = |byte: &u8| !b"*?[\\/\"".contains(byte);
        selectors.push(match pattern.strip_prefix(b"*") {
            Some(suffix) if suffix.iter().all(literal) => Selector::Suffix(suffix.to_vec()),
            _ => Selector::Any,
        });
    }
}

fn may_convert(word: &[u8]) -> bool {
    let name = word.split(|&byte| byte == b'=').next().unwrap_or(word);
    word != b"eol=lf"
        && CONVERTING
            .iter()
            .any(|converting| converting.as_bytes() == name)
}

/// What libgit2 says of the attributes of `path`, read as git reads them for a checkout.
fn asked_for(repository: &Repository, path: &[u8]) -> Result<Option<String>, git2::Error> {
    let file = Path::new(OsStr::from_bytes(path));
    for name in CONVERTING {
        let flags = AttrCheckFlags::INDEX_THEN_FILE;
        let value = repository.get_attr_bytes(file, name, flags)?;
        let converts = match AttrValue::from_bytes(value) {
            AttrValue::True => name == "ident",
            AttrValue::String(value) => name != "eol" || value == "crlf",
            AttrValue::Bytes(_) => true,
            AttrValue::False | AttrValue::Unspecified => false,
        };
        if converts {
            return Ok(Some(format!("{} has the attribute {name}", file.display())));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_that_can_convert_select_files() {
        for (line, expected) in [
            (
                "*.bin filter=lfs diff=lfs -text",
                Some(Selector::Suffix(b".bin".to_vec())),
            ),
            ("* text=auto", None),
            ("*.sh text eol=lf", None),
            (
                "*.bat text eol=crlf",
                Some(Selector::Suffix(b".bat".to_vec())),
            ),
            ("docs/** ident", Some(Selector::Any)),
            ("[attr]lfs filter=lfs", Some(Selector::Any)),
            ("*.c -ident !eol -filter", None),
            ("# *.bin filter=lfs", None),
            ("*.[ch] working-tree-encoding=UTF-16", Some(Selector::Any)),
        ] {
            let mut selectors = Vec::new();
            select(line.as_bytes(), &mut selectors);
            assert_eq!(selectors.pop(), expected, "{line}");
        }
    }
}
