import { RESOLVE, resolvesOnce, shop } from './remedy-steps.ts';

/** The kinds of alerts about VPN hosts, as in `alertKinds`. */
export const hostAlertKinds = {
  'host.overtaken': {
    summary:
      'A VPN host has a newer revision than the shop: the shop was restored from a backup. The host still refuses what was deleted after that backup.',
    remedy: [
      'List what the host refuses (missing keys, subscriptions that it does not serve):',
      shop('host drift'),
      'Delete those again in the shop.',
      'Retire again the hosts that were retired after the backup.',
      'Resolve the alert:',
      RESOLVE,
    ],
  },
  'host.silent': {
    summary:
      'A VPN host has stopped reporting, and nobody planned that. Its tunnels may still run: they last seven days without the shop. endedRights: deleted devices and ended subscriptions that it may still serve until it answers. clockMinutes: how wrong its clock was when it last reported.',
    remedy: [
      'See what the host runs:',
      shop('host show --host SUBJECT'),
      'Check that its machine is on and reaches the shop. On that machine run:',
      '  systemctl status fixpoint-agent',
      'Check the clock of that machine. If it is days off, the journal of the agent says CERT_NOT_YET_VALID or CERT_HAS_EXPIRED:',
      '  timedatectl',
      '  journalctl -u fixpoint-agent',
      'If ended rights must not be served any longer, stop the tunnels on that machine:',
      "  systemctl stop fixpoint-agent; pkill -f 'openvpn --config stdin'",
      'If the machine is lost, switch it off at its provider first.',
      'Then move its customers to another host:',
      shop('host move --host SUBJECT --to HOST --off'),
      'Or replace the machine:',
      shop('host replace --host SUBJECT --off'),
      'The alert resolves itself within a minute after the host reports again.',
      'To switch off a host without an alert, move its customers away and drain it:',
      shop('host drain --host SUBJECT'),
    ],
  },
  'host.oldAgent': {
    summary:
      'The agent of a VPN host is older than the newest package here. It keeps working, but lacks what was fixed since.',
    remedy: [
      'Take the newest package of the agent from AGENT_PACKAGES_DIR, which is /var/lib/fixpoint/agents on a server with the package.',
      'Copy it to the host, and install it there as root. Its tunnels stay up:',
      '  apt-get install --yes ./fixpoint-agent_VERSION_amd64.deb',
      'The alert resolves itself within an hour after the host reports the newer version.',
    ],
  },
  'host.clock': {
    summary:
      'The clock of a VPN host is wrong by the minutes shown (negative: it is slow). Its tunnels continue, because the agent uses the time of the shop.',
    remedy: [
      'Check the clock on that host:',
      '  timedatectl',
      'Set it, and install systemd-timesyncd or chrony there. A clock that is days off rejects valid certificates.',
      'The alert resolves itself within a minute after the clock is right.',
    ],
  },
  'host.foreignAddress': {
    summary:
      'A VPN host reports addresses as its own that lie in the range of another host. The shop ignores that, and continues to sell them: the host may be set up wrongly, or be in other hands.',
    remedy: [
      'Compare its own addresses with its ranges:',
      shop('host show --host SUBJECT'),
      'If the machine really has such an address, give it another one: customers are sold this one.',
      'If it has none, somebody else may control the machine. Take it out of service:',
      shop('host retire --host SUBJECT --even-with-customers'),
      resolvesOnce('the host reports no such address'),
    ],
  },
  'entitlement.drift': {
    summary:
      'A VPN host admits somebody who has not paid, or refuses somebody who has, and cannot repair that itself. behind: changes that it has not applied. failed: subscriptions that do not run there.',
    remedy: [
      'See what differs:',
      shop('host drift'),
      'Read the journal on that host:',
      '  journalctl -u fixpoint-agent',
      'Look for another program that changes what the agent sets up, a full or read-only disk, or a refusing kernel.',
      'If the journal says ownAddress, the machine has taken the address of a customer as its own. See its own addresses:',
      shop('host show --host SUBJECT'),
      'Give the machine another address.',
      resolvesOnce('the host runs exactly what was paid for'),
    ],
  },
  'delivery.failed': {
    summary:
      'A VPN host did not bring up a new subscription within a minute, or its delivery check failed. The subscription went to another host of the same place, or stays here if none there works.',
    remedy: [
      'Find the failed checks beside the alert, and look at their causes:',
      '  start: the subscription does not come up. See what differs, and the journal of that host:',
      shop('host drift'),
      '  journalctl -u fixpoint-agent',
      '  tunnel: OpenVPN. probeNotLetIn in the journal of that host shows how far its client came.',
      '  address: masquerading, or a firewall beside ours.',
      '  address6: the routed IPv6 prefix.',
      '  dns: the resolvers, or the route of the sold address to this host.',
      '  rate: tc.',
      'Fix the cause. Until then new customers come to this host last.',
      'Resolve the alert:',
      RESOLVE,
      'It also resolves itself once a delivery check succeeds there.',
    ],
  },
  'delivery.unchecked': {
    summary:
      'A VPN host cannot run delivery checks: the probe gets no network namespace, or something that it needs does not start. Its customers are served unchecked.',
    remedy: [
      'See the cause on that host:',
      '  systemctl status fixpoint-agent-probe.socket',
      '  journalctl -u fixpoint-agent',
      'Fix it.',
      resolvesOnce('a delivery check succeeds there'),
    ],
  },
} as const;
