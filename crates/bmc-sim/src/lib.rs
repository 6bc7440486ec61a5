//! Simulated Redfish BMC on TLS with power, boot override and scripted faults.
