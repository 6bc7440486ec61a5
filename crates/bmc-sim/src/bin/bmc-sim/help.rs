//! What the program says about itself.

pub(crate) const HELP: &str = "\
Simulated Redfish BMCs on TLS, for trying out and testing clients.

Usage: bmc-sim [OPTIONS] [RECORDING]

RECORDING is a JSON file {\"resources\": {PATH: BODY, ...}} of a real BMC, served with the write
rules its maker is known for. Without it there is a built-in BMC: power, boot override, sessions,
accounts, light, sensors, system event log, firmware inventory, virtual media.

Where and how many
  --listen ADDRESS:PORT  where the first BMC listens [127.0.0.1:8443]; port 0: any free one
  --count N              so many BMCs, each with its own state and certificate [1]
  --spread WHAT          the next BMC is at the next port, or at the next address: ports, addresses
                         [ports]
  --cert FILE --key FILE PEM certificate and key for all, in place of a fresh P-256 one for each

What they are
  --make MAKE            the built-in BMC as this maker's; --makes lists them
  --rule NAME            with this vendor rule; --rules lists them (may be repeated)
  --without-rule NAME    without it, although the make has it (may be repeated)
  --account USER:PASSWORD
                         an administrator [admin:password] (may be repeated)
  --power WHAT           the first system is on, or off, at first [as recorded]

What goes wrong
  --latency TIME         every request takes so much longer: 200ms, 2s
  --fault FAULT          a scripted fault (may be repeated):
                           [N:|N-M:] EFFECT [on [METHOD] PATH] [reused] [after N] [times N]
                         for BMC number N, or N to M, or all. Effects:
                           delay TIME, late TIME     the request, the reply, waits
                           never                     read, not done, not answered
                           drop, reset               connection closed, reset; not done
                           lose                      done, connection closed without a reply
                           pretend                   not done, answered as if it were
                           STATUS                    401, 500, 503 ...: refused so
                           refuse STATUS MESSAGEID   refused with this Redfish message
                           html STATUS               refused with a page of HTML
                           redirect STATUS URL       sent elsewhere
                           truncate BYTES, empty, twice
                                                     the body is cut, missing, followed by another
                           closed, silent            the whole BMC: refuses connections; takes them
                                                     and says nothing
                         PATH may hold * for any text. Without `on` a fault meets every request.

While it runs
  A line for each BMC is printed, `N URL SHA256`, then `ready`. It ends with standard input, or by a
  signal. Lines on standard input:
    fault FAULT            adds a fault
    clear                  removes every fault, the latency too
    state                  prints a JSON line for each BMC: power, override, sessions, counters
    requests               prints a JSON line for each request so far
  --detached             standard input is not read; it ends by a signal only

Examples
  bmc-sim
      curl -k -u admin:password https://127.0.0.1:8443/redfish/v1/Systems/1
  bmc-sim --make lenovo-xcc --fault 'lose on POST */ComputerSystem.Reset times 1'
  bmc-sim --count 1000 --listen 127.1.0.1:8443 --spread addresses --latency 200ms \\
      --fault '991-1000: silent'
";
