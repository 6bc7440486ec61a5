//! The listener and its answers.

use super::access_log;
use super::redirect;
use super::request::Request;
use crate::error::{Doing, Error};
use crate::options::Layout;
use crate::plan::Plan;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

/// A PXE service: where its files are and how its links are arranged.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct PxeService {
    /// Directory of links and boot files; all of it is public.
    #[arg(long, default_value = "/srv/pxesrv")]
    pub(crate) root: PathBuf,
    /// The access log.
    #[arg(long, default_value = "/var/log/pxesrv.log")]
    pub(crate) log: PathBuf,
    /// Where links are looked for.
    #[arg(long, value_enum, default_value = "suffix")]
    pub(crate) layout: Layout,
}

/// A client that says nothing for so long is left.
const PATIENCE: Duration = Duration::from_secs(10);
/// Upstream's body for anything it does not have; 36 bytes in its log.
const NOT_FOUND: &str = "The requested route is not available";

/// Serves on all addresses until the process ends.
pub(crate) fn run(service: PxeService) -> Result<(), Error> {
    let listener = TcpListener::bind((Ipv4Addr::UNSPECIFIED, Plan::PXE_PORT))
        .doing(|| format!("listening on port {}", Plan::PXE_PORT))?;
    let log = OpenOptions::new()
        .create(true)
        .append(true)
        .open(&service.log)
        .doing(|| format!("opening {}", service.log.display()))?;
    let shared = Arc::new((service, log));
    for stream in listener.incoming().flatten() {
        let shared = Arc::clone(&shared);
        std::thread::spawn(move || {
            let (service, log) = &*shared;
            let _ = service.answer(&stream, log);
        });
    }
    Ok(())
}

impl PxeService {
    fn answer(&self, mut stream: &TcpStream, mut log: &File) -> std::io::Result<()> {
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let client = stream.peer_addr()?.ip();
        let Some(request) = Request::read(stream)? else { return Ok(()) };
        let (at, start) = (SystemTime::now(), Instant::now());
        let (status, body) = self.respond(client, &request);
        let (reason, kind) = if status == 200 {
            ("OK", "application/octet-stream")
        } else {
            ("Not Found", "text/html;charset=utf-8")
        };
        // In one write each: other threads write to the same log.
        let line = access_log::line(client, at, &request, status, body.len(), start.elapsed());
        log.write_all(line.as_bytes())?;
        let mut answer = format!(
            "HTTP/1.1 {status} {reason}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            body.len()
        )
        .into_bytes();
        if request.method != "HEAD" {
            answer.extend_from_slice(&body);
        }
        stream.write_all(&answer)
    }

    fn respond(&self, client: IpAddr, request: &Request) -> (u16, Vec<u8>) {
        let readable = matches!(request.method.as_str(), "GET" | "HEAD");
        let file = match request.path().filter(|_| readable) {
            Some("/redirect") => Some(redirect::resolve(&self.root, self.layout, client)),
            Some(path) => Some(self.root.join(path.trim_start_matches('/'))),
            None => None,
        };
        match file.as_deref().and_then(redirect::read) {
            Some(body) => (200, body),
            None => (404, NOT_FOUND.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn ask(service: &PxeService, method: &str, target: &str) -> u16 {
        let request = Request {
            method: method.to_owned(),
            target: target.to_owned(),
            version: "HTTP/1.1".to_owned(),
        };
        service.respond(IpAddr::V4(Ipv4Addr::new(10, 0, 2, 7)), &request).0
    }

    #[test]
    fn head_consumes_a_link_and_its_public_path_does_not() {
        let root = tempfile::tempdir().unwrap();
        let service = PxeService {
            root: root.path().to_owned(),
            log: "/dev/null".into(),
            layout: Layout::Suffix,
        };
        let link = root.path().join("10.0.2.7");
        std::fs::write(root.path().join("install"), "#!ipxe").unwrap();
        symlink(root.path().join("install"), &link).unwrap();
        assert_eq!(ask(&service, "GET", "/10.0.2.7"), 200);
        assert!(link.exists());
        assert_eq!(ask(&service, "HEAD", "/redirect"), 200);
        assert!(!link.exists());
        assert_eq!(ask(&service, "GET", "/redirect"), 404);
        assert_eq!(ask(&service, "POST", "/redirect"), 404);
    }
}
