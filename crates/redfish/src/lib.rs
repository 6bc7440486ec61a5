//! Redfish client for one BMC: power, reset once, one-time boot, read back.
