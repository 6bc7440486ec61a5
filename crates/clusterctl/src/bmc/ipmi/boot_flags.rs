//! Boot flags: IPMI 2.0 table 28-14, parameter 5.

use redfish::BootSource;
use thiserror::Error;

/// A boot device that IPMI has a number and `ipmitool chassis bootdev` a word for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(clippy::exhaustive_enums, reason = "the words of ipmitool(1)")]
pub enum BootDevice {
    /// No override.
    None,
    /// The network.
    Pxe,
    /// The default hard disk.
    Disk,
    /// The diagnostic partition.
    Diagnostics,
    /// The default CD or DVD.
    Cd,
    /// The firmware's setup.
    Setup,
    /// A floppy or other removable medium.
    Floppy,
}

/// What a machine is to boot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(clippy::exhaustive_structs, reason = "what ipmitool can be told")]
pub struct BootWish {
    /// From where; [`BootDevice::None`] clears.
    pub device: BootDevice,
    /// At every boot.
    pub persistent: bool,
    /// As a BIOS boots, not as UEFI does.
    pub legacy: bool,
}

/// A boot source that IPMI cannot be told.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("IPMI has no boot source {0:?}: it knows None, Pxe, Hdd, Cd, BiosSetup, Diags and Floppy")]
pub struct UnknownDevice(String);

const ALL: [BootDevice; 7] = [
    BootDevice::None,
    BootDevice::Pxe,
    BootDevice::Disk,
    BootDevice::Diagnostics,
    BootDevice::Cd,
    BootDevice::Setup,
    BootDevice::Floppy,
];

impl BootDevice {
    /// What Redfish calls it.
    pub fn source(self) -> &'static str {
        match self {
            BootDevice::None => "None",
            BootDevice::Pxe => "Pxe",
            BootDevice::Disk => "Hdd",
            BootDevice::Diagnostics => "Diags",
            BootDevice::Cd => "Cd",
            BootDevice::Setup => "BiosSetup",
            BootDevice::Floppy => "Floppy",
        }
    }

    /// What ipmitool calls it.
    pub(super) fn word(self) -> &'static str {
        match self {
            BootDevice::None => "none",
            BootDevice::Pxe => "pxe",
            BootDevice::Disk => "disk",
            BootDevice::Diagnostics => "diag",
            BootDevice::Cd => "cdrom",
            BootDevice::Setup => "bios",
            BootDevice::Floppy => "floppy",
        }
    }

    /// Bits 5 to 2 of the second byte.
    fn selector(self) -> u8 {
        match self {
            BootDevice::None => 0,
            BootDevice::Pxe => 1,
            BootDevice::Disk => 2,
            BootDevice::Diagnostics => 4,
            BootDevice::Cd => 5,
            BootDevice::Setup => 6,
            BootDevice::Floppy => 15,
        }
    }
}

impl TryFrom<&BootSource> for BootDevice {
    type Error = UnknownDevice;

    fn try_from(source: &BootSource) -> Result<BootDevice, UnknownDevice> {
        let found = ALL.into_iter().find(|device| device.source() == source.as_str());
        found.ok_or_else(|| UnknownDevice(source.as_str().to_owned()))
    }
}

/// What a service processor shows of its boot flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BootFlags {
    first: u8,
    second: u8,
}

impl BootFlags {
    /// The five bytes in hexadecimal, as ipmitool prints them.
    pub(super) fn from_hex(text: &str) -> Option<BootFlags> {
        if text.len() != 10 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let byte = |at: usize| u8::from_str_radix(&text[at..at + 2], 16).ok();
        Some(BootFlags { first: byte(0)?, second: byte(2)? })
    }

    /// Whether they count at all: flags that are not valid are void.
    pub fn are_valid(self) -> bool {
        self.first & 0x80 != 0
    }

    /// Whether they count at every boot.
    pub fn are_persistent(self) -> bool {
        self.first & 0x40 != 0
    }

    /// Whether they are meant for UEFI.
    pub fn are_for_uefi(self) -> bool {
        self.first & 0x20 != 0
    }

    /// The device's number.
    fn selector(self) -> u8 {
        self.second >> 2 & 0x0f
    }

    /// Whether a boot override is in force.
    pub fn is_set(self) -> bool {
        self.are_valid() && self.selector() != 0
    }

    /// Whether exactly this is in force; nothing, where it was to be cleared.
    pub fn shows(self, wish: BootWish) -> bool {
        if wish.device == BootDevice::None {
            return !self.is_set();
        }
        self.are_valid()
            && self.selector() == wish.device.selector()
            && self.are_persistent() == wish.persistent
            && self.are_for_uefi() != wish.legacy
    }

    /// The source in Redfish's words; none where nothing is in force.
    pub fn source(self) -> String {
        if !self.is_set() {
            return "none".to_owned();
        }
        let known = ALL.into_iter().find(|device| device.selector() == self.selector());
        known.map_or_else(
            || format!("unknown device {}", self.selector()),
            |device| device.source().to_owned(),
        )
    }

    /// For how long: `once`, `continuous`, or nothing where nothing is in force.
    pub fn mode(self) -> &'static str {
        match (self.is_set(), self.are_persistent()) {
            (false, _) => "",
            (true, false) => "once",
            (true, true) => "continuous",
        }
    }

    /// What is shown, for a message about flags that are not the ones written.
    pub(super) fn described(self) -> String {
        let device = BootFlags { first: self.first | 0x80, ..self }.source();
        let mode = if self.are_persistent() { "continuous" } else { "once" };
        let firmware = if self.are_for_uefi() { "UEFI" } else { "legacy" };
        let valid = if self.are_valid() { "" } else { ", not valid" };
        format!("{device}, {mode}, {firmware}{valid}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PXE: BootWish = BootWish { device: BootDevice::Pxe, persistent: false, legacy: false };

    fn flags(hex: &str) -> BootFlags {
        BootFlags::from_hex(hex).unwrap()
    }

    #[test]
    fn flags_that_are_not_valid_are_no_override() {
        // As ipmi_sim and boards after a boot show it: the device stays, the bit is gone.
        let void = flags("0004000000");
        assert!(!void.is_set() && !void.shows(PXE));
        assert_eq!((void.source().as_str(), void.mode()), ("none", ""));
        assert_eq!(void.described(), "Pxe, once, legacy, not valid");
    }

    #[test]
    fn what_was_written_is_told_from_what_is_like_it() {
        let set = flags("a004000000");
        assert!(set.shows(PXE));
        assert_eq!((set.source().as_str(), set.mode()), ("Pxe", "once"));
        let others = ["8004000000", "e004000000", "a008000000", "2004000000"];
        assert!(others.iter().all(|hex| !flags(hex).shows(PXE)));
        assert!(flags("e004000000").shows(BootWish { persistent: true, ..PXE }));
        assert!(flags("8004000000").shows(BootWish { legacy: true, ..PXE }));
        let none = BootWish { device: BootDevice::None, ..PXE };
        assert!(
            flags("a000000000").shows(none) && flags("0004000000").shows(none) && !set.shows(none)
        );
        assert_eq!(flags("c03c000000").source(), "Floppy");
        assert_eq!(flags("c02c000000").source(), "unknown device 11");
    }

    #[test]
    fn anything_but_five_bytes_is_nothing() {
        for text in
            ["", "a0", "a00400000", "a00400000000", "g004000000", "a0 4000000", "+004000000"]
        {
            assert_eq!(BootFlags::from_hex(text), None, "{text}");
        }
    }

    #[test]
    fn a_source_is_a_device_or_the_answer_lists_those_there_are() {
        for device in ALL {
            assert_eq!(BootDevice::try_from(&BootSource::from(device.source())), Ok(device));
        }
        let unknown = BootDevice::try_from(&BootSource::UEFI_HTTP).unwrap_err();
        assert!(unknown.to_string().contains("Pxe"));
    }
}
