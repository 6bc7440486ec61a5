//! The service's log, line by line as upstream writes it.

use super::request::Request;
use std::net::IpAddr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// One line: `10.0.2.7 - - [30/Nov/2026:19:47:26 +0000] "GET /redirect HTTP/1.1" 200 1145 0.0005`.
pub(super) fn line(
    client: IpAddr,
    at: SystemTime,
    request: &Request,
    status: u16,
    size: usize,
    took: Duration,
) -> String {
    let Request { method, target, version } = request;
    format!(
        "{client} - - [{}] \"{method} {target} {version}\" {status} {size} {:.4}\n",
        common_log_time(at),
        took.as_secs_f64()
    )
}

/// The time as the common log format writes it, in UTC.
fn common_log_time(at: SystemTime) -> String {
    let seconds = at.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = civil(days);
    let name = MONTHS.get(month).copied().unwrap_or("Jan");
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{day:02}/{name}/{year}:{hour:02}:{minute:02}:{second:02} +0000")
}

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Year, month from 0 and day from 1 of a day since 1970-01-01, by plain counting.
fn civil(mut days: u64) -> (u64, usize, u64) {
    let leap =
        |year: u64| year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    let mut year = 1970;
    while days >= 365 + u64::from(leap(year)) {
        days -= 365 + u64::from(leap(year));
        year += 1;
    }
    let mut month = 0;
    for length in [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    (year, month, days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    #[test]
    fn a_line_is_the_one_upstream_writes() {
        let request = Request {
            method: "GET".to_owned(),
            target: "/redirect".to_owned(),
            version: "HTTP/1.1".to_owned(),
        };
        let at = UNIX_EPOCH + Duration::from_secs(1_796_068_046);
        let client = IpAddr::V4(Ipv4Addr::new(127, 0, 9, 2));
        assert_eq!(
            line(client, at, &request, 200, 1145, Duration::from_micros(500)),
            "127.0.9.2 - - [30/Nov/2026:19:47:26 +0000] \"GET /redirect HTTP/1.1\" 200 1145 0.0005\n"
        );
    }

    #[test]
    fn leap_days_and_ends_of_years_are_counted() {
        for (seconds, text) in [
            (0, "01/Jan/1970:00:00:00 +0000"),
            (951_782_400, "29/Feb/2000:00:00:00 +0000"),
            (1_735_689_599, "31/Dec/2024:23:59:59 +0000"),
            (4_107_542_400, "01/Mar/2100:00:00:00 +0000"),
        ] {
            assert_eq!(common_log_time(UNIX_EPOCH + Duration::from_secs(seconds)), text);
        }
    }
}
