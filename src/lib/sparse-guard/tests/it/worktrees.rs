//! Linked worktrees, worktrees of a bare repository, and submodules: the innermost one counts.

use crate::lab::{CMAKE, RUST, SOURCE, text, with_each_git};

#[test]
fn a_linked_worktree_has_its_own_set() {
    with_each_git(|lab| {
        let clone = lab.cone(&lab.origin(), "clone", &[SOURCE, RUST]);
        let linked = lab.at("linked");
        lab.git(
            &clone,
            &["worktree", "add", "-q", "-b", "side", &text(&linked)],
        );
        lab.git(
            &linked,
            &[
                "sparse-checkout",
                "set",
                "--cone",
                "--no-sparse-index",
                SOURCE,
            ],
        );
        let main_one = lab.snapshot(&clone);
        lab.guard(&clone, &["--check", RUST]).complete();
        let checked = lab.guard(&linked.join(SOURCE), &["--check", "../../rust"]);
        checked.incomplete(&["sparse-checkout add"]);
        lab.guard(&linked.join(SOURCE), &["../../rust"]).complete();
        assert!(linked.join(RUST).join("tool/lib.rs").exists());
        assert_eq!(
            lab.git(&linked, &["sparse-checkout", "list"]),
            format!("{RUST}\n{SOURCE}\n")
        );
        assert_eq!(lab.git(&linked, &["status", "--porcelain"]), "");
        assert_eq!(lab.snapshot(&clone), main_one);
        lab.guard_without_git(&linked, &[CMAKE]).complete();
        assert_eq!(lab.git(&linked, &["status", "--porcelain"]), "");
    });
}

#[test]
fn a_full_worktree_beside_a_sparse_one() {
    with_each_git(|lab| {
        let clone = lab.cone(&lab.origin(), "clone", &[SOURCE]);
        let linked = lab.at("linked");
        lab.git(
            &clone,
            &["worktree", "add", "-q", "-b", "side", &text(&linked)],
        );
        lab.git(&linked, &["sparse-checkout", "disable"]);
        assert_eq!(lab.guard(&linked, &[RUST]).complete().said(), "");
        lab.guard(&clone, &["--check", RUST]).incomplete(&[]);
    });
}

#[test]
fn a_worktree_of_a_bare_repository() {
    with_each_git(|lab| {
        let bare = lab.at("bare.git");
        lab.git(
            &lab.at(""),
            &["clone", "-q", "--bare", &text(&lab.origin()), &text(&bare)],
        );
        let tree = lab.at("tree");
        lab.git(
            &bare,
            &[
                "worktree",
                "add",
                "-q",
                "--no-checkout",
                &text(&tree),
                "main",
            ],
        );
        lab.git(
            &tree,
            &[
                "sparse-checkout",
                "set",
                "--cone",
                "--no-sparse-index",
                SOURCE,
            ],
        );
        lab.git(&tree, &["checkout", "-q"]);
        let by = lab
            .guard(&tree.join(SOURCE), &["--json", "../../rust"])
            .complete()
            .json();
        assert_eq!(by["paths"][0]["by"], "git2");
        assert_eq!(lab.git(&tree, &["status", "--porcelain"]), "");
        assert_eq!(
            lab.git(&tree, &["sparse-checkout", "list"]),
            format!("{RUST}\n{SOURCE}\n")
        );
        // Inside of the bare repository there is no work tree.
        lab.guard(&bare, &["objects"]).complete();
        lab.guard(&bare, &["nothing"])
            .incomplete(&["not in this source"]);
    });
}

#[test]
fn a_submodule_is_a_work_tree_of_its_own() {
    with_each_git(|lab| {
        let origin = lab.origin();
        let outer = lab.at("outer");
        std::fs::create_dir(&outer).unwrap();
        lab.git(&outer, &["init", "-q", "-b", "main"]);
        crate::lab::write(&outer.join("other/x"), "x");
        crate::lab::write(&outer.join("third_party/README"), "x");
        lab.git(
            &outer,
            &["submodule", "add", "-q", &text(&origin), "third_party/hub"],
        );
        lab.commit(&outer, "with a submodule");
        let inner = outer.join("third_party/hub");
        lab.git(
            &inner,
            &[
                "sparse-checkout",
                "set",
                "--cone",
                "--no-sparse-index",
                SOURCE,
            ],
        );
        let before = lab.git(&outer, &["ls-files", "-s", "-t"]);
        // From inside, and from the outer repository.
        lab.guard(&inner.join(SOURCE), &["../../rust"]).complete();
        lab.guard(&outer, &[&format!("third_party/hub/{CMAKE}")])
            .complete();
        let list = lab.git(&inner, &["sparse-checkout", "list"]);
        assert_eq!(list, format!("{CMAKE}\n{RUST}\n{SOURCE}\n"));
        assert_eq!(lab.git(&inner, &["status", "--porcelain"]), "");
        assert_eq!(lab.git(&outer, &["ls-files", "-s", "-t"]), before);

        // One that is not there is named, with what brings it.
        let clone = lab.at("again");
        lab.git(&lab.at(""), &["clone", "-q", &text(&outer), &text(&clone)]);
        let path = format!("third_party/hub/{RUST}");
        lab.guard(&clone, &[&path])
            .incomplete(&["third_party/hub", "submodule"]);
        let json = lab.guard(&clone, &["--json", &path]).incomplete(&[]).json();
        let command = json["commands"][0].as_str().unwrap();
        assert!(
            command.ends_with("submodule update --init -- third_party/hub"),
            "{command}"
        );
        lab.guard(&clone, &["third_party/hub"])
            .incomplete(&["submodule"]);
        // In a sparse outer checkout git decides about it.
        lab.git(
            &clone,
            &[
                "sparse-checkout",
                "set",
                "--cone",
                "--no-sparse-index",
                "other",
            ],
        );
        lab.guard_without_git(&clone, &["third_party"])
            .incomplete(&["is a submodule"]);
        lab.guard(&clone, &["third_party"]).complete();
        assert_eq!(lab.git(&clone, &["status", "--porcelain"]), "");
    });
}
