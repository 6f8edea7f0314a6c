import { systemClock } from '../../adapters/system-clock.ts';
import { minute } from '../../kernel/minute.ts';
import { hostDetails, hostList, type PoolLine } from '../../modules/provisioning/index.ts';
import { type Context, noMore, readArgs } from '../command.ts';

export async function listHosts({ db }: Context, args: string[]): Promise<string> {
  noMore(args, 0);
  const hosts = await hostList(db, systemClock.now());
  if (hosts.length === 0) return 'There is no VPN host yet. To add one, run:\nnpm run shop -- host add';
  const rows = hosts.map(({ id, state, runs, capacity, addresses, free, place }) => [
    ...[id, state, `${runs} of ${capacity} subscriptions`],
    ...[`${free} of ${addresses} addresses free`, place],
  ]);
  return table(rows);
}

/** Pads columns to their widest text. */
function table(rows: string[][]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map(row => row[column]!.length)));
  return rows
    .map(row =>
      row
        .map((text, n) => text.padEnd(widths[n]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export async function showHost({ db }: Context, args: string[]): Promise<string> {
  const id = readArgs(args, ['host']).option('host');
  const host = await hostDetails(db, systemClock.now(), id);
  const { earlierMayServeUntil: until } = host;
  return [
    `${host.id} at ${host.place}: ${host.state}`,
    `runs ${host.runs} of ${host.capacity} subscriptions, weight ${host.weight}, resolvers ${host.dns.join(', ')}`,
    `machine ${host.machine ?? 'not set'}, ${host.seenAt ? `last report ${minute(host.seenAt)}` : 'no report yet'}`,
    ...(host.ownAddresses.length > 0
      ? [`addresses of the machine and its router, never sold: ${host.ownAddresses.join(', ')}`]
      : []),
    ...(host.behind > 0 ? [`has not applied its last ${host.behind} changes yet`] : []),
    ...(until
      ? [
          `a previous machine of it may serve until ${minute(until)}. If it is certainly off, run one of:\n    npm run shop -- host replace --host ${id} --off\n    npm run shop -- host retire --host ${id} --off`,
        ]
      : []),
    ...host.pools.map(pool => poolText(id, pool)),
  ].join('\n  ');
}

function poolText(
  hostId: string,
  { id, prefix6, addresses, taken, port, tcpPort, bind, routing, movingFrom, routed }: PoolLine,
): string {
  const bound = bind ? `, bound to addresses from ${bind}` : '';
  const six = prefix6 ? `, IPv6 ${prefix6}` : '';
  const way = routing === 'hcloud' ? ', routed by Hetzner' : '';
  const moving = `${movingFrom && movingFrom !== hostId ? `, moving from ${movingFrom}` : ''}${routed ? '' : ', not routed here yet'}`;
  return `${id}: ${taken} of ${addresses} addresses taken, port ${port}${tcpPort ? ` and TCP ${tcpPort}` : ', no TCP'}${bound}${six}${way}${moving}`;
}
