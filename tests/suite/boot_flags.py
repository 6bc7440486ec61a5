"""A service processor that keeps its boot flags as they are written, on pyghmi's IPMI.

Arguments: address, user, password. Prints a line for each change, such as "set 5 a004000000".
"""

import sys

from pyghmi.ipmi import bmc


class Keeper(bmc.Bmc):
    flags = bytes(5)

    def get_power_state(self):
        return "on"

    def set_system_boot_options(self, request, session):
        data = bytes(bytearray(request["data"]))
        print("set", data[0] & 0x7F, data[1:].hex(), flush=True)
        if data[0] & 0x7F == 5:
            self.flags = data[1:6].ljust(5, b"\0")
        session.send_ipmi_response()

    def get_system_boot_options(self, request, session):
        if request["data"][0] & 0x7F == 5:
            session.send_ipmi_response(data=[1, 5, *self.flags])
        else:
            session.send_ipmi_response(code=0x80)


address, user, password = sys.argv[1:]
keeper = Keeper({user: password}, address=address)
print("up", flush=True)
keeper.listen()
