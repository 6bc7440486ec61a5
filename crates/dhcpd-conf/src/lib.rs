//! Lossless parser and editor for ISC dhcpd.conf.
