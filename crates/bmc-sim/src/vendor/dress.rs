//! The built-in BMC in the clothes of a make: for makes of which no recording is at hand, and for
//! tests that need none.

use std::time::Duration;

use serde_json::{Value, json};

use super::{Chosen, Make, rules_of};
use crate::{Error, Rules, Tree};

const ROOT: &str = "/redfish/v1";
const SYSTEM: &str = "/redfish/v1/Systems/1";
const MANAGER: &str = "/redfish/v1/Managers/1";

impl Tree {
    /// The built-in BMC with what distinguishes this make's resources: names, firmware, settings
    /// objects, allowable values. Its paths stay those of [`Tree::built_in`].
    pub fn of_make(make: Make) -> Self {
        let tree = Self::built_in();
        match make {
            Make::Plain => tree,
            Make::Idrac8 => tree.named("Dell", "Dell Inc.").firmware("2.52.52.52"),
            Make::Idrac9 => tree.named("Dell", "Dell Inc.").firmware("7.10.30.00").with_settings(
                "Settings",
                &json!({"BootOrder": ["Boot0001"], "BootSourceOverrideMode": null}),
            ),
            Make::Idrac10 => {
                tree.named("Dell", "Dell Inc.").firmware("1.20.50.00").with_settings_object()
            }
            Make::Ilo4 => tree.named("Hp", "HP").firmware("iLO 4 v2.82"),
            Make::Ilo5 => tree.named("HPE", "HPE").firmware("iLO 5 v2.72"),
            Make::Ilo7 => tree.named("HPE", "HPE").firmware("iLO 7 v1.16"),
            Make::CrayEx => tree.cray(),
            Make::LenovoXcc => tree.named("Lenovo", "Lenovo").with_system(&json!({"Boot": {
                "BootSourceOverrideEnabled@Redfish.AllowableValues": ["Once", "Disabled"],
            }})),
            Make::SupermicroX10 => tree.named("Supermicro", "Supermicro").without_mode(),
            Make::Supermicro => tree.named("Supermicro", "Supermicro").with_system(&json!({
                "Boot": {"BootSourceOverrideTarget@Redfish.AllowableValues":
                    ["None", "Pxe", "Hdd", "UsbCd", "BiosSetup", "UefiHttp", "UefiBootNext"]},
            })),
            Make::MegaRac => {
                let boot = tree.get(SYSTEM).and_then(|body| body.get("Boot")).cloned();
                tree.named("AMI", "AMI").with_settings("SD", &boot.unwrap_or_default())
            }
            Make::Gigabyte => tree.named("AMI", "GIGABYTE"),
            Make::AsrockRack => tree.named("AMI", "ASRockRack"),
            Make::Irmc => tree.named("Fujitsu", "FUJITSU"),
            Make::Ibmc => tree.named("Huawei", "Huawei"),
            Make::Kaytus => tree.named("Kaytus", "Kaytus"),
            Make::OpenBmc => tree.openbmc("Open"),
            Make::OpenBmcIbm => tree.openbmc("IBM"),
            Make::NvidiaGb200 => tree.nvidia("GB200 NVL"),
            Make::NvidiaGh200 => tree.with_system(&json!({"Boot": {
                "BootSourceOverrideTarget@Redfish.AllowableValues": ["None", "Pxe", "Hdd", "Usb"],
            }})).nvidia("GH200"),
            Make::BlueField => tree.nvidia("BlueField-3 DPU"),
            Make::Virtual => tree.named("Sushy Emulator", "Sushy Emulator"),
        }
    }

    /// The make this tree's BMC is of, as far as its resources tell.
    pub fn make(&self) -> Make {
        Make::of(self)
    }

    /// The behaviour this tree's BMC is known for: what its resources show (settings objects, the
    /// session timeout), and the rows of its make that hold for every firmware.
    pub fn rules(&self) -> Rules {
        // Only a name that is not in the table fails, and none is given.
        rules_of(self, &Chosen::default()).unwrap_or_default()
    }

    /// As [`rules`](Self::rules), with and without rows of the table of vendors, by name.
    pub fn rules_with<'a>(
        &self,
        with: impl IntoIterator<Item = &'a str>,
        without: impl IntoIterator<Item = &'a str>,
    ) -> Result<Rules, Error> {
        let names =
            |names: &mut dyn Iterator<Item = &'a str>| names.map(str::to_owned).collect::<Vec<_>>();
        let chosen =
            Chosen { with: names(&mut with.into_iter()), without: names(&mut without.into_iter()) };
        rules_of(self, &chosen)
    }

    pub(crate) fn settings_carry_the_override(&self) -> bool {
        self.systems().iter().filter_map(|system| system.settings.as_ref()).any(|path| {
            self.get(path)
                .is_some_and(|body| body.pointer("/Boot/BootSourceOverrideTarget").is_some())
        })
    }

    pub(crate) fn session_timeout(&self) -> Option<Duration> {
        let service = self.get("/redfish/v1/SessionService")?;
        service.get("SessionTimeout")?.as_u64().map(Duration::from_secs)
    }

    pub(crate) fn manager_firmware(&self) -> Option<String> {
        let managers = self.get("/redfish/v1/Managers")?.get("Members")?.as_array()?;
        let mut bodies = managers.iter().filter_map(|it| self.get(crate::tree::link(it)?));
        bodies.find_map(|body| body.get("FirmwareVersion")?.as_str().map(str::to_owned))
    }

    fn named(self, vendor: &str, manufacturer: &str) -> Self {
        let oem = vendor.split(' ').next().unwrap_or_default();
        self.with(ROOT, &json!({"Vendor": vendor, "Oem": {oem: {}}}))
            .with_system(&json!({"Manufacturer": manufacturer}))
    }

    fn firmware(self, version: &str) -> Self {
        self.with(MANAGER, &json!({"FirmwareVersion": version}))
    }

    fn with_system(self, members: &Value) -> Self {
        self.with(SYSTEM, members)
    }

    /// A settings object with this `Boot`.
    fn with_settings(self, id: &str, boot: &Value) -> Self {
        let path = format!("{SYSTEM}/{id}");
        let settings = json!({
            "@odata.type": "#ComputerSystem.v1_22_0.ComputerSystem",
            "@odata.etag": "W/\"100\"",
            "Id": id,
            "Name": "Future state",
            "Boot": boot,
        });
        let link = json!({"@Redfish.Settings": {
            "@odata.type": "#Settings.v1_3_5.Settings",
            "SettingsObject": {"@odata.id": path},
        }});
        self.with(&path, &settings).with_system(&link)
    }

    /// As boards that do not report the mode.
    fn without_mode(mut self) -> Self {
        if let Some(boot) =
            self.change(SYSTEM).and_then(|body| body.get_mut("Boot")?.as_object_mut())
        {
            boot.retain(|name, _| !name.starts_with("BootSourceOverrideMode"));
        }
        self
    }

    fn openbmc(self, manufacturer: &str) -> Self {
        let manager = self.get(MANAGER).cloned().unwrap_or_default();
        self.with_system(&json!({"Manufacturer": manufacturer}))
            .with("/redfish/v1/Managers/bmc", &manager)
            .with(
                "/redfish/v1/Managers/bmc",
                &json!({
                    "@odata.id": "/redfish/v1/Managers/bmc", "Id": "bmc",
                }),
            )
            .with(ROOT, &json!({"Vendor": null}))
    }

    fn nvidia(self, product: &str) -> Self {
        self.named("NVIDIA", "NVIDIA")
            .with(ROOT, &json!({"Product": product}))
            .with_settings_object()
    }

    /// One blade controller: no override, three reset types, a chassis that has to be on.
    fn cray(mut self) -> Self {
        if let Some(members) = self.change(SYSTEM) {
            members
                .insert("Boot".to_owned(), json!({"BootOrder": ["ME0-PXE-IP4", "HSN0-PXE-IP4"]}));
        }
        let target = "/redfish/v1/Chassis/1/Actions/Chassis.Reset";
        self.with_system(&json!({
            "Manufacturer": "HPE",
            "Actions": {"#ComputerSystem.Reset": {
                "ResetType@Redfish.AllowableValues": ["On", "ForceOff", "Off"],
            }},
        }))
        .with(ROOT, &json!({"Vendor": null, "Product": null}))
        .with(
            "/redfish/v1/Chassis/1",
            &json!({
                "PowerState": "On",
                "Actions": {"#Chassis.Reset": {
                    "target": target, "ResetType@Redfish.AllowableValues": ["On", "ForceOff"],
                }},
            }),
        )
    }
}
