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
  /** Path of the program inside the namespace. */
  program: string;
  shaper: Shaper;
  log: Log;
};

type Seen = Awaited<ReturnType<Inside['ask']>>;

/** Returns the failed checks of an open tunnel. */
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

/** Removes leftovers of a crashed agent: its counters would count a customer's packets. */
export async function clearProbes(): Promise<void> {
  for (let lane = 1; lane <= PROBE_LANES; lane++) await clear(lane);
}

/**
 * Connects to a server of this host like a customer's device. The tunnel device moves into a
 * namespace without any other route, so that no packet can bypass the tunnel.
 */
export function createProber({ wan, firstUid, program, shaper, log }: Options): Prober {
  const uid = probeUid(firstUid);

  /** @returns undefined when it was not let in */
  async function connect(
    s: DesiredSubscription,
    device: string,
    transport: Transport,
  ): Promise<Client | undefined> {
    const client = await connectClient(s, s.probe!, device, uid, transport);
    if (typeof client !== 'string') return client;
    log('probeNotLetIn', { way: transport, came: client });
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
        // The client first: it spins when its device vanishes.
        await client.end();
      }
    } finally {
      await clear(lane);
    }
  }

  /** Verifies the relay. It leads to the same server, so a successful login covers everything. */
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

  /** Other subscriptions' classes on the card are ignored. */
  async function isLimited(s: DesiredSubscription): Promise<boolean> {
    const drift = await shaper.drift({ dns: [], subscriptions: [s] });
    return drift.every(({ missing }) => missing === 0);
  }

  return async (s, lane) => {
    // Runs concurrently with the client: a buyer waits for both.
    const starting = startInside(program, uid);
    const started = starting.catch(() => undefined);
    try {
      const failed = await tunnel(s, starting, lane);
      // Sequential and until its end: both use the same key, which has one session, and an
      // unfinished handshake would be reported as a customer's device.
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
