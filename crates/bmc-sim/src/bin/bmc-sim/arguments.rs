//! The command line.

use std::ffi::OsString;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use bmc_sim::{Effect, Fault, FaultTextError, Make, Power};

/// What is asked for.
#[derive(Debug)]
pub(crate) enum Request {
    Help,
    Makes,
    Rules,
    Serve(Box<Arguments>),
}

/// What is to be served.
#[derive(Debug)]
pub(crate) struct Arguments {
    pub(crate) recording: Option<PathBuf>,
    pub(crate) listen: SocketAddr,
    pub(crate) count: u32,
    pub(crate) spread: Spread,
    pub(crate) identity: Option<(PathBuf, PathBuf)>,
    pub(crate) make: Option<Make>,
    pub(crate) with: Vec<String>,
    pub(crate) without: Vec<String>,
    pub(crate) accounts: Vec<(String, String)>,
    pub(crate) power: Option<Power>,
    pub(crate) latency: Option<Duration>,
    pub(crate) faults: Vec<Script>,
    pub(crate) detached: bool,
}

/// Where the next BMC listens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spread {
    Ports,
    Addresses,
}

/// A fault of some BMCs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Script {
    /// First and last, from 1; `None`: all.
    pub(crate) of: Option<(u32, u32)>,
    pub(crate) what: Misfortune,
}

/// What meets requests, or the whole BMC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Misfortune {
    Requests(Fault),
    Closed,
    Silent,
}

impl Script {
    pub(crate) fn meets(&self, number: u32) -> bool {
        self.of.is_none_or(|(first, last)| (first..=last).contains(&number))
    }
}

impl FromStr for Script {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (of, text) = match text.split_once(':') {
            Some((numbers, rest))
                if numbers.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') =>
            {
                let (first, last) = numbers.split_once('-').unwrap_or((numbers, numbers));
                let number =
                    |text: &str| text.parse().map_err(|_| format!("{text:?} is no number"));
                (Some((number(first)?, number(last)?)), rest.trim())
            }
            _ => (None, text.trim()),
        };
        let what = match text {
            "closed" => Misfortune::Closed,
            "silent" => Misfortune::Silent,
            text => Misfortune::Requests(text.parse().map_err(|error| match error {
                FaultTextError::Effect(_) => format!("{error}, closed, silent"),
                error => error.to_string(),
            })?),
        };
        Ok(Self { of, what })
    }
}

impl Default for Arguments {
    fn default() -> Self {
        Self {
            recording: None,
            listen: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8443),
            count: 1,
            spread: Spread::Ports,
            identity: None,
            make: None,
            with: Vec::new(),
            without: Vec::new(),
            accounts: Vec::new(),
            power: None,
            latency: None,
            faults: Vec::new(),
            detached: false,
        }
    }
}

/// Reads the words after the program's name.
pub(crate) fn parse(words: impl Iterator<Item = OsString>) -> Result<Request, String> {
    let mut arguments = Arguments::default();
    let (mut cert, mut key) = (None, None);
    let mut words = words
        .map(|word| word.into_string().map_err(|word| format!("{} is no text", word.display())));
    while let Some(word) = words.next().transpose()? {
        let mut value = || match words.next() {
            Some(value) => value,
            None => Err(format!("{word} needs a value")),
        };
        match word.as_str() {
            "-h" | "--help" => return Ok(Request::Help),
            "--makes" => return Ok(Request::Makes),
            "--rules" => return Ok(Request::Rules),
            "--listen" => arguments.listen = read(&word, &value()?)?,
            "--count" => arguments.count = read(&word, &value()?)?,
            "--spread" => arguments.spread = spread(&value()?)?,
            "--cert" => cert = Some(value()?.into()),
            "--key" => key = Some(value()?.into()),
            "--make" => arguments.make = Some(make(&value()?)?),
            "--rule" => arguments.with.push(value()?),
            "--without-rule" => arguments.without.push(value()?),
            "--account" => arguments.accounts.push(account(&value()?)?),
            "--power" => arguments.power = Some(power(&value()?)?),
            "--latency" => arguments.latency = Some(latency(&value()?)?),
            "--fault" => arguments.faults.push(value()?.parse()?),
            "--detached" => arguments.detached = true,
            _ if word.starts_with('-') => return Err(format!("unknown option {word}")),
            _ if arguments.recording.is_some() => {
                return Err(format!("one recording, not {word} too"));
            }
            _ => arguments.recording = Some(word.into()),
        }
    }
    arguments.identity = match (cert, key) {
        (Some(cert), Some(key)) => Some((cert, key)),
        (None, None) => None,
        _ => return Err("--cert and --key belong together".to_owned()),
    };
    if arguments.make.is_some() && arguments.recording.is_some() {
        return Err("a recording has its own make".to_owned());
    }
    Ok(Request::Serve(Box::new(arguments)))
}

fn read<V: FromStr>(option: &str, text: &str) -> Result<V, String> {
    text.parse().map_err(|_| format!("{option} does not take {text:?}"))
}

fn spread(text: &str) -> Result<Spread, String> {
    match text {
        "ports" => Ok(Spread::Ports),
        "addresses" => Ok(Spread::Addresses),
        _ => Err(format!("--spread takes ports or addresses, not {text:?}")),
    }
}

fn make(text: &str) -> Result<Make, String> {
    Make::from_word(text).ok_or_else(|| format!("no make {text:?}; --makes lists them"))
}

fn account(text: &str) -> Result<(String, String), String> {
    let parts = text.split_once(':').filter(|(user, _)| !user.is_empty());
    let (user, password) = parts.ok_or_else(|| "--account takes USER:PASSWORD".to_owned())?;
    Ok((user.to_owned(), password.to_owned()))
}

fn power(text: &str) -> Result<Power, String> {
    match text {
        "on" => Ok(Power::On),
        "off" => Ok(Power::Off),
        _ => Err(format!("--power takes on or off, not {text:?}")),
    }
}

/// A time is written as in a fault.
fn latency(text: &str) -> Result<Duration, String> {
    let fault: Fault =
        format!("delay {text}").parse().map_err(|error| format!("--latency: {error}"))?;
    match fault.effect {
        Effect::Delay(time) => Ok(time),
        _ => Err(format!("--latency does not take {text:?}")),
    }
}
