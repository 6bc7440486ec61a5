//! The links of the PXE service, read from the installer's file system.

use crate::wire::LinkState;
use std::path::Path;

/// Every symbolic link in the service's root and its `once` and `static`, with its raw target.
/// `default` is the site's, not a node's.
pub(super) fn read(root: &Path) -> LinkState {
    let mut links = LinkState::new();
    for directory in ["", "once", "static"] {
        let entries = std::fs::read_dir(root.join(directory)).into_iter().flatten().flatten();
        for entry in entries {
            let name = Path::new(directory).join(entry.file_name()).display().to_string();
            if let Ok(target) = std::fs::read_link(entry.path())
                && name != "default"
            {
                links.insert(name, target.display().to_string());
            }
        }
    }
    links
}
