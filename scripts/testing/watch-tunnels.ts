import type { Customer, connectCustomer } from '@fixpoint/sandbox/internet/customer.ts';
import { ADDRESSES } from '@fixpoint/sandbox/internet/namespaces.ts';
import { connectSoon } from '@fixpoint/testkit/connect-soon.ts';

/** Devices that connect at once; the others wait. */
const AT_ONCE = 4;
/** Echoes of a round, 0.2 s apart. Each waits for its answer for up to 10 s, so that a busy machine loses none. */
const ROUND = ['ping', '-q', '-i', '0.2', '-c', '25', '-W', '10', ADDRESSES.internet];

/** Connects devices with real OpenVPN. */
export async function connectAll(
  region: Parameters<typeof connectCustomer>[0]['region'],
  profiles: readonly string[],
): Promise<Customer[]> {
  const devices: Customer[] = [];
  for (let n = 0; n < profiles.length; n += AT_ONCE)
    devices.push(
      ...(await Promise.all(profiles.slice(n, n + AT_ONCE).map(profile => connectSoon({ region, profile })))),
    );
  return devices;
}

/**
 * Sends echoes through all tunnels, round by round.
 * @returns ends after the running round, with what was sent, and what came back
 */
export function watchTunnels(devices: readonly Customer[]): () => Promise<{ sent: number; lost: number }> {
  let isOver = false;
  const lines = devices.map(async device => {
    const found = { sent: 0, lost: 0 };
    while (!isOver) {
      const said = await device.exec(['sh', '-c', `${ROUND.join(' ')} || :`]);
      const [, sent, back] = /(\d+) packets transmitted, (\d+) received/.exec(said)!;
      found.sent += Number(sent);
      found.lost += Number(sent) - Number(back);
    }
    return found;
  });
  const all = Promise.all(lines);
  all.catch(() => {});
  return async () => {
    isOver = true;
    const found = await all;
    return {
      sent: found.reduce((sum, { sent }) => sum + sent, 0),
      lost: found.reduce((sum, { lost }) => sum + lost, 0),
    };
  };
}
