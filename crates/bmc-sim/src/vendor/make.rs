//! Who made a BMC, as far as its behaviour differs.

use serde_json::Value;

use crate::Tree;

/// A make of BMC whose firmware is known for something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Make {
    /// Nobody known.
    Plain,
    /// Dell, 13th generation.
    Idrac8,
    /// Dell, 14th to 16th generation.
    Idrac9,
    /// Dell, 17th generation.
    Idrac10,
    /// HPE Gen8 and Gen9.
    Ilo4,
    /// HPE Gen10 and Gen11 (iLO 5 and 6).
    Ilo5,
    /// HPE Gen12.
    Ilo7,
    /// HPE Cray EX blade controllers.
    CrayEx,
    /// Lenovo XCC to XCC3.
    LenovoXcc,
    /// Supermicro boards that do not report `BootSourceOverrideMode`.
    SupermicroX10,
    /// Supermicro X11 to X14.
    Supermicro,
    /// AMI MegaRAC, DGX H100 included.
    MegaRac,
    /// Gigabyte.
    Gigabyte,
    /// ASRock Rack.
    AsrockRack,
    /// Fujitsu iRMC.
    Irmc,
    /// Huawei and xFusion iBMC.
    Ibmc,
    /// Inspur and Kaytus.
    Kaytus,
    /// OpenBMC.
    OpenBmc,
    /// IBM's OpenBMC.
    OpenBmcIbm,
    /// NVIDIA GB200 and GB300.
    NvidiaGb200,
    /// NVIDIA GH200.
    NvidiaGh200,
    /// NVIDIA BlueField.
    BlueField,
    /// Virtual BMCs: sushy-tools.
    Virtual,
}

impl Make {
    /// Every make and the word for it.
    pub const ALL: [(Make, &'static str); 23] = [
        (Make::Plain, "plain"),
        (Make::Idrac8, "idrac8"),
        (Make::Idrac9, "idrac9"),
        (Make::Idrac10, "idrac10"),
        (Make::Ilo4, "ilo4"),
        (Make::Ilo5, "ilo5"),
        (Make::Ilo7, "ilo7"),
        (Make::CrayEx, "cray-ex"),
        (Make::LenovoXcc, "lenovo-xcc"),
        (Make::SupermicroX10, "supermicro-x10"),
        (Make::Supermicro, "supermicro"),
        (Make::MegaRac, "megarac"),
        (Make::Gigabyte, "gigabyte"),
        (Make::AsrockRack, "asrock-rack"),
        (Make::Irmc, "irmc"),
        (Make::Ibmc, "ibmc"),
        (Make::Kaytus, "kaytus"),
        (Make::OpenBmc, "openbmc"),
        (Make::OpenBmcIbm, "openbmc-ibm"),
        (Make::NvidiaGb200, "nvidia-gb200"),
        (Make::NvidiaGh200, "nvidia-gh200"),
        (Make::BlueField, "bluefield"),
        (Make::Virtual, "virtual"),
    ];

    /// The word for it.
    pub fn as_str(self) -> &'static str {
        Self::ALL.iter().find(|(make, _)| *make == self).map_or("plain", |(_, word)| word)
    }

    /// The make of this word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known)| *known == word).map(|(make, _)| *make)
    }

    /// The make of a tree: by the root's vendor and vendor extensions, then the system's
    /// manufacturer; generations by the manager's firmware.
    pub(crate) fn of(tree: &Tree) -> Self {
        let signs = Signs::of(tree);
        match signs.vendor.as_str() {
            "dell" => match signs.firmware_major() {
                Some(2) => Self::Idrac8,
                Some(1) => Self::Idrac10,
                _ => Self::Idrac9,
            },
            "hpe" | "hp" if signs.named => match signs.firmware.as_str() {
                ilo if ilo.starts_with("iLO 4") => Self::Ilo4,
                ilo if ilo.starts_with("iLO 7") => Self::Ilo7,
                _ => Self::Ilo5,
            },
            // Controllers of Cray EX name no vendor in the root, and HPE in their systems.
            "hpe" => Self::CrayEx,
            "lenovo" => Self::LenovoXcc,
            "supermicro" if signs.reports_mode => Self::Supermicro,
            "supermicro" => Self::SupermicroX10,
            "ami" => match signs.manufacturer.as_str() {
                "gigabyte" => Self::Gigabyte,
                "asrockrack" => Self::AsrockRack,
                _ => Self::MegaRac,
            },
            "gigabyte" => Self::Gigabyte,
            "asrockrack" => Self::AsrockRack,
            "fujitsu" | "ts_fujitsu" | "fsas" => Self::Irmc,
            "huawei" | "xfusion" => Self::Ibmc,
            "inspur" | "kaytus" => Self::Kaytus,
            "sushy" => Self::Virtual,
            "nvidia" if signs.product.contains("GH200") => Self::NvidiaGh200,
            "nvidia" if signs.product.contains("BlueField") => Self::BlueField,
            "nvidia" if signs.product.contains("GB200") => Self::NvidiaGb200,
            "ibm" if signs.is_openbmc => Self::OpenBmcIbm,
            _ if signs.is_openbmc => Self::OpenBmc,
            _ => Self::Plain,
        }
    }
}

/// By what a make is known.
#[derive(Default)]
struct Signs {
    /// In lower case, one word.
    vendor: String,
    /// The root, not the system, named it.
    named: bool,
    manufacturer: String,
    product: String,
    firmware: String,
    reports_mode: bool,
    is_openbmc: bool,
}

impl Signs {
    fn of(tree: &Tree) -> Self {
        let word = |value: Option<&Value>| {
            let text = value.and_then(Value::as_str).unwrap_or_default();
            text.split([' ', ',']).next().unwrap_or_default().to_ascii_lowercase()
        };
        let text =
            |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
        let root = tree.get("/redfish/v1");
        let of_root = |name: &str| root.and_then(|root| root.get(name));
        let systems: Vec<&Value> =
            tree.systems().iter().filter_map(|system| tree.get(&system.path)).collect();
        let of_systems = |path: &str| systems.iter().find_map(|body| body.pointer(path));
        let oem = of_root("Oem").and_then(Value::as_object);
        let oem = oem.and_then(|oem| oem.keys().next()).map(|key| key.to_ascii_lowercase());
        let manufacturer = word(of_systems("/Manufacturer"));
        let vendor = Some(word(of_root("Vendor"))).filter(|vendor| !vendor.is_empty()).or(oem);
        Self {
            named: vendor.is_some(),
            vendor: vendor.unwrap_or_else(|| manufacturer.clone()),
            manufacturer,
            product: text(of_root("Product")) + &text(of_systems("/Model")),
            firmware: tree.manager_firmware().unwrap_or_default(),
            reports_mode: of_systems("/Boot/BootSourceOverrideMode").is_some(),
            is_openbmc: tree.get("/redfish/v1/Managers/bmc").is_some(),
        }
    }

    fn firmware_major(&self) -> Option<u32> {
        self.firmware.split('.').next()?.parse().ok()
    }
}
