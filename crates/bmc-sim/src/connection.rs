//! One connection: TLS, then requests, each with what meets it.

use std::io::{self, Write as _};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use rustls::{ServerConnection, StreamOwned};

use crate::core::Core;
use crate::fault::{Answer, Effect};
use crate::http::{Ending, Request, RequestReader, Response, Unread};
use crate::running::Control;
use crate::service::refusal;

/// A connection on which nothing comes for so long is closed.
const IDLE: Duration = Duration::from_mins(1);

type Tls<'a> = StreamOwned<ServerConnection, &'a TcpStream>;

/// Serves until either side closes. Errors end it, as they would a real BMC's.
pub(crate) fn serve(core: &Arc<Core>, stream: &TcpStream, control: &Control) {
    let connection = core.count_connection();
    if let Ok(tls) = handshake(core, stream) {
        core.count_handshake();
        let connection = Connection { core, control, stream, number: connection };
        // What cannot be read or written any more has no one to be told to.
        let _ = connection.run(tls);
    }
    let _ = stream.shutdown(Shutdown::Both);
}

fn handshake<'a>(core: &Core, mut stream: &'a TcpStream) -> io::Result<Tls<'a>> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(IDLE))?;
    stream.set_write_timeout(Some(IDLE))?;
    let mut tls = ServerConnection::new(core.identity().config()).map_err(io::Error::other)?;
    while tls.is_handshaking() {
        tls.complete_io(&mut stream)?;
    }
    Ok(StreamOwned::new(tls, stream))
}

struct Connection<'a> {
    core: &'a Arc<Core>,
    control: &'a Control,
    stream: &'a TcpStream,
    number: u64,
}

/// What goes out for a request.
enum Reply {
    Send(Response, usize),
    /// Close without a word.
    Drop,
    /// Close by a TCP reset.
    Reset,
    /// Read on, never answer.
    Ignore,
}

const WHOLE: usize = usize::MAX;

impl Connection<'_> {
    fn run(&self, mut tls: Tls<'_>) -> io::Result<()> {
        let mut reader = RequestReader::default();
        for nth in 1.. {
            let request = match reader.read(&mut tls) {
                Ok(request) => request,
                Err(Unread::Closed) => return farewell(&mut tls),
                Err(Unread::Bad(status)) => {
                    let message = "The request cannot be read.";
                    let response = refusal(status, "GeneralError", message, &[]);
                    response.write(
                        &mut tls,
                        Ending { close: true, head_only: false, body_limit: WHOLE },
                    )?;
                    return farewell(&mut tls);
                }
            };
            let record = self.core.record(&request, self.number, nth);
            let (response, body_limit) = match self.reply(&request, nth) {
                Reply::Send(response, limit) => (response, limit),
                Reply::Drop => return Ok(()),
                Reply::Reset => {
                    return Ok(rustix::net::sockopt::set_socket_linger(
                        self.stream,
                        Some(Duration::ZERO),
                    )?);
                }
                Reply::Ignore => return io::copy(&mut tls, &mut io::sink()).map(|_| ()),
            };
            self.core.journal().answer(record, response.status);
            let truncated = body_limit < response.body.len();
            let close = truncated || !request.keeps_alive();
            let head_only = request.method == "HEAD";
            response
                .write(&mut tls, Ending { close: close && !truncated, head_only, body_limit })?;
            if truncated {
                return Ok(());
            }
            if close {
                return farewell(&mut tls);
            }
        }
        Ok(())
    }

    fn reply(&self, request: &Request, nth: u64) -> Reply {
        let met = self.core.meet(request, nth);
        if !met.before.is_zero() && !self.control.wait(met.before) {
            return Reply::Drop;
        }
        let perform = || self.core.perform(request);
        let reply = match met.effect {
            None | Some(Effect::Delay(_) | Effect::DelayReply(_)) => Reply::Send(perform(), WHOLE),
            Some(Effect::BlackHole) => Reply::Ignore,
            Some(Effect::LoseRequest) => Reply::Drop,
            Some(Effect::ResetConnection) => Reply::Reset,
            Some(Effect::LoseReply) => {
                perform();
                Reply::Drop
            }
            Some(Effect::Answer(answer)) => Reply::Send(answer.into(), WHOLE),
            Some(Effect::ActAndAnswer(answer)) => {
                perform();
                Reply::Send(answer.into(), WHOLE)
            }
            Some(Effect::Pretend) => Reply::Send(self.core.pretend(request), WHOLE),
            Some(Effect::Truncate(limit)) => Reply::Send(perform(), limit),
            Some(Effect::TwoDocuments) => Reply::Send(with_second_document(perform()), WHOLE),
            Some(Effect::EmptyBody) => Reply::Send(perform().with_body(Vec::new()), WHOLE),
        };
        if !met.after.is_zero() && !self.control.wait(met.after) {
            return Reply::Drop;
        }
        reply
    }
}

/// Says that nothing more comes, and closes.
fn farewell(tls: &mut Tls<'_>) -> io::Result<()> {
    tls.conn.send_close_notify();
    tls.flush()
}

fn with_second_document(mut response: Response) -> Response {
    let error =
        Answer::error(response.status, "Base.1.18.GeneralError", "A general error has occurred");
    response.body.extend_from_slice(error.body.as_bytes());
    response
}

impl From<Answer> for Response {
    fn from(answer: Answer) -> Self {
        Self { status: answer.status, headers: answer.headers, body: answer.body.into_bytes() }
    }
}
