//! HTTP/1.1 on a byte stream: bounded reading of requests, writing of responses (RFC 9112).

mod request;
mod response;

pub(crate) use request::{Request, RequestReader, Unread};
pub(crate) use response::{Ending, Response};
