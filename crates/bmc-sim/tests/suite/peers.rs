//! Others' Redfish clients as judges, where a Python that has them is named.
//!
//! `BMC_SIM_PYTHON=/path/to/venv/bin/python` with `pip install sushy redfish` done by hand.
