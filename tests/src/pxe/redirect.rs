//! Which file answers `/redirect`.

use crate::options::Layout;
use std::fs;
use std::net::IpAddr;
use std::path::{Path, PathBuf};

/// The file for this client. Consumes its one-shot link.
///
/// Observed: only a symbolic link counts as a one-shot link, a regular file there is ignored; the
/// persistent one may be anything that exists.
pub(super) fn resolve(root: &Path, layout: Layout, client: IpAddr) -> PathBuf {
    let address = client.to_string();
    let once = root.join(layout.once(&address));
    if let Ok(target) = fs::read_link(&once) {
        let _ = fs::remove_file(&once);
        return target;
    }
    let persistent = root.join(layout.persistent(&address));
    if persistent.exists() { persistent } else { root.join("default") }
}

/// Reads the file; a relative path is not found, whatever the service's working directory is.
pub(super) fn read(path: &Path) -> Option<Vec<u8>> {
    if path.is_absolute() && path.is_file() { fs::read(path).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;
    use std::os::unix::fs::symlink;

    const CLIENT: IpAddr = IpAddr::V4(Ipv4Addr::new(10, 0, 2, 7));

    fn root() -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for directory in ["once", "static"] {
            fs::create_dir(root.path().join(directory)).unwrap();
        }
        fs::write(root.path().join("default"), "default").unwrap();
        fs::write(root.path().join("install"), "install").unwrap();
        root
    }

    fn answer(root: &Path, layout: Layout) -> Option<Vec<u8>> {
        read(&resolve(root, layout, CLIENT))
    }

    #[test]
    fn a_once_link_answers_one_request_and_then_the_persistent_one_does() {
        for layout in [Layout::Suffix, Layout::Directories] {
            let root = root();
            let root = root.path();
            symlink(root.join("install"), root.join(layout.once("10.0.2.7"))).unwrap();
            fs::write(root.join(layout.persistent("10.0.2.7")), "static").unwrap();
            assert_eq!(answer(root, layout).unwrap(), b"install");
            assert_eq!(answer(root, layout).unwrap(), b"static");
            fs::remove_file(root.join(layout.persistent("10.0.2.7"))).unwrap();
            assert_eq!(answer(root, layout).unwrap(), b"default");
        }
    }

    #[test]
    fn a_dangling_or_relative_once_link_is_gone_and_not_found() {
        for target in ["/nowhere", "install"] {
            let root = root();
            let link = root.path().join("10.0.2.7");
            symlink(target, &link).unwrap();
            assert_eq!(answer(root.path(), Layout::Suffix), None);
            assert!(link.symlink_metadata().is_err());
        }
    }

    #[test]
    fn a_regular_file_is_no_once_link() {
        let root = root();
        fs::write(root.path().join("10.0.2.7"), "file").unwrap();
        assert_eq!(answer(root.path(), Layout::Suffix).unwrap(), b"default");
    }
}
