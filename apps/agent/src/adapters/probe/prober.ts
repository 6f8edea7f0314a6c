import type { Check, DesiredSubscription } from '@fixpoint/contract/agent.ts';
import {
  keyAddress,
  PROBE_LANES,
  probeDevice,
  probeUid,
  resolverAddresses,
  tunnelAddress6,
} from '../../layout.ts';
import type { Log } from '../../log.ts';
import type { Prober, Shaper } from '../../ports/host.ts';
import { must, run } from '../run.ts';
import { type Client, connectClient } from './client.ts';
import type { Transport } from './client-config.ts';
import { type Inside, startInside } from './inside.ts';
import { type CountedPackets, removePacketCounter, startPacketCounter } from './packet-counter.ts';

type Options = {
  /** The host's network card. */
  wan: string;
  firstUid: number;
  /** File of the program inside. */
  program: string;
  shaper: Shaper;
  log: Log;
};

type Seen = Awaited<ReturnType<Inside['ask']>>;

/** What of a tunnel that was opened does not do what was sold. */
export function failedChecks(seen: Seen, counted: CountedPackets, ipv6: boolean): Check[] {
  const right6 = seen.answered6 && counted.out6 > 0 && counted.in6 > 0;
  return [
    ...(counted.sold > 0 && counted.other === 0 ? [] : (['address'] as const)),
    ...(ipv6 && !right6 ? (['address6'] as const) : []),
    ...(seen.dns ? [] : (['dns'] as const)),
  ];
}

async function clear(lane: number): Promise<void> {
  await run('ip', ['link', 'del', probeDevice(lane)]);
  await removePacketCounter(lane);
}

/** Takes away what a dead agent has left: its counters would go on with a customer's packets. */
export async function clearProbes(): Promise<void> {
  for (let lane = 1; lane <= PROBE_LANES; lane++) await clear(lane);
}

/**
 * Connects to a server of this host as a customer's device does. The client is on the host; its tunnel's device is put into a
 * namespace that has no other way out, so that nothing of it can go beside the tunnel.
 */
export function createProber({ wan, firstUid, program, shaper, log }: Options): Prober {
  const uid = probeUid(firstUid);

  /** @returns undefined when it was not let in */
  async function connect(
    s: DesiredSubscription,
    device: string,
    way: Transport,
  ): Promise<Client | undefined> {
    const client = await connectClient(s, s.probe!, device, uid, way);
    if (typeof client !== 'string') return client;
    log('probeNotLetIn', { way, came: client });
    return undefined;
  }

  async function tunnel(s: DesiredSubscription, starting: Promise<Inside>, lane: number): Promise<Check[]> {
    const [probe, device] = [s.probe!, probeDevice(lane)];
    try {
      await must('ip', ['tuntap', 'add', 'dev', device, 'mode', 'tun', 'user', String(uid)]);
      const called = startPacketCounter(s, probe, wan, lane);
      const [client] = await Promise.all([connect(s, device, 'udp'), called.catch(() => undefined)]);
      if (!client) return ['tunnel'];
      try {
        const [inside, packetCounter] = await Promise.all([starting, called]);
        await must('ip', ['link', 'set', device, 'netns', String(inside.pid)]);
        const seen = await inside.ask({
          device,
          address: `${keyAddress(s, probe)}/24`,
          address6: tunnelAddress6(s, probe)?.split(' ')[0],
          resolver: resolverAddresses(s)[0],
        });
        return failedChecks(seen, await packetCounter.read(), s.prefix6 !== undefined);
      } finally {
        // First the client: one whose device vanishes spins.
        await client.end();
      }
    } finally {
      await clear(lane);
    }
  }

  /** The relay leads there as to the same server: a client that is let in has seen all of it. */
  async function worksOverTcp(s: DesiredSubscription, lane: number): Promise<boolean> {
    const device = probeDevice(lane);
    await must('ip', ['tuntap', 'add', 'dev', device, 'mode', 'tun', 'user', String(uid)]);
    try {
      const client = await connect(s, device, 'tcp');
      await client?.end();
      return client !== undefined;
    } finally {
      await run('ip', ['link', 'del', device]);
    }
  }

  /** What others have on the card is none of its business. */
  async function isLimited(s: DesiredSubscription): Promise<boolean> {
    const drift = await shaper.drift({ dns: [], subscriptions: [s] });
    return drift.every(({ missing }) => missing === 0);
  }

  return async (s, lane) => {
    // Beside the client, which takes as long: a buyer waits for both.
    const starting = startInside(program, uid);
    const started = starting.catch(() => undefined);
    try {
      const failed = await tunnel(s, starting, lane);
      // After the other way, and to its end: it is the same key's, which has one session, and a handshake that stands still
      // would be shown to a customer as that of a device of his.
      const tcp = !s.tcpPort || failed.includes('tunnel') || (await worksOverTcp(s, lane));
      return [
        ...failed,
        ...((await isLimited(s)) ? [] : (['rate'] as const)),
        ...(tcp ? [] : (['tcp'] as const)),
      ];
    } finally {
      await (await started)?.end();
    }
  };
}
