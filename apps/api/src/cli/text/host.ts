import type { AnswersOf } from '../../compose/staff/handler.ts';
import { minute } from '../../kernel/minute.ts';
import { type TextsOf, table } from './text.ts';

type Shown = AnswersOf<'host'>['show'];
type Pool = Shown['pools'][number];
type Occupancy = { runs: number; reserved: number };

/** The last line is the token alone, because scripts read it from there. */
const enrol = (id: string, token: string, install: string | undefined, diskless: boolean): string[] => [
  ...(install ? [`To set its machine up, paste this line there as root within 15 minutes:\n${install}`] : []),
  diskless
    ? `Seal the next line with systemd-creds on the machine of ${id}; it is valid at every boot (docs/operate/hosts.md).`
    : `${install ? 'Or install the agent yourself, and set' : 'Set'} the next line as AGENT_TOKEN on the machine of ${id} within 15 minutes (docs/operate/going-live.md, step 7).`,
  token,
];

const REMEDIES = 'What to do about these alerts:\nnpm run shop -- alerts';

const isEmpty = ({ runs, reserved }: Occupancy): boolean => runs + reserved === 0;

const whenItServes = (off: boolean): string =>
  off
    ? 'It serves at once, because you declared that the previous machine is off.'
    : 'When it enrols, the previous machine is told to stop. The new one serves once that is confirmed. If the previous machine cannot confirm, it serves when the set there is seven days old, or at once with --off.';

/** What remains on a host, and the next step. */
const staysText = (id: string, stays: Occupancy): string => {
  const { runs, reserved } = stays;
  const next = `\nTo move them to another host, run:\nnpm run shop -- host move --host ${id} --to HOST`;
  return `Subscriptions on it: ${runs}. Reserved addresses: ${reserved}.${isEmpty(stays) ? '' : next}`;
};

/** Texts for VPN hosts: what was done, and what comes next. */
export const texts: TextsOf<'host'> = {
  add: ({ host, place, addresses, pools, port, token, install }, { diskless }) =>
    [
      `${host} is added at ${place}.`,
      `It has ${addresses} addresses of ${pools.join(', ')}, on port ${port}.`,
      ...enrol(host, token, install, diskless),
    ].join('\n'),

  set({ host, added }) {
    const came = added === undefined ? '' : ` It has ${added} more addresses.`;
    return `${host} is changed.${came} To see its settings, run:\nnpm run shop -- host show --host ${host}`;
  },

  list({ hosts }) {
    if (hosts.length === 0) return 'There is no VPN host yet. To add one, run:\nnpm run shop -- host add';
    const says = table(
      hosts.map(({ id, state, runs, capacity, addresses, free, agent, place, alerts }) => [
        ...[id, state, `${runs} of ${capacity} subscriptions`],
        ...[`${free} of ${addresses} addresses free`, agent ? `agent ${agent}` : 'no report yet', place],
        alerts.join(', '),
      ]),
    );
    const bad = hosts.some(({ alerts }) => alerts.length > 0);
    return { says: bad ? `${says}\n${REMEDIES}` : says, bad };
  },

  show: host => showText(host),

  drift: ({ differing }) =>
    differing.length > 0
      ? { says: differing.map(({ where, lines }) => [where, ...lines].join('\n  ')).join('\n'), bad: true }
      : 'All hosts match the paid entitlements.',

  drain({ host, ...stays }, { undo }) {
    if (undo) return `${host} gets new customers again.`;
    return isEmpty(stays)
      ? `${host} gets no new customers and is empty. To take it out of service, run:\nnpm run shop -- host retire --host ${host}`
      : `${host} gets no new customers. ${staysText(host, stays)}`;
  },

  move: {
    plan: ({ begins, pools, subscriptions }, { host, to, off, routed }) =>
      [
        begins
          ? `Would move ${pools.join(', ')} with ${subscriptions} subscriptions from ${host} to ${to}. Their devices reconnect by themselves once ${to} serves them.`
          : `Would continue the move of ${pools.join(', ')} with ${subscriptions} subscriptions from ${host} to ${to}.`,
        ...(off
          ? [
              `You declare that the machine of ${host} is off: ${to} serves its addresses at once, and ${host} is retired for good. If it is on after all, two machines serve the same addresses.`,
            ]
          : []),
        ...(routed ? [`You declare that your router sends them to ${to} now.`] : []),
      ].join('\n'),
    done: ({ to, todo }) =>
      todo.length > 0
        ? { says: todo.join('\n'), bad: true }
        : `The move to ${to} is complete. The customers' files stay valid.`,
  },

  remove: ({ host, pool, addresses }) => `${pool} is removed from ${host}: ${addresses} addresses.`,

  replace: {
    plan: ({ host, runs, reserved }, { off }) =>
      [
        `Would print a token with which another machine takes over ${host}: ${runs} subscriptions, ${reserved} reserved addresses.`,
        whenItServes(off),
        ...(off ? ['If the previous machine is on after all, two machines serve the same addresses.'] : []),
      ].join('\n'),
    done({ host, token, install }, { off, diskless }) {
      if (!token) return `The token for ${host} was printed once. For another one, run the command again.`;
      return [
        `Another machine can now enrol as ${host} and gets everything that it runs. ${whenItServes(off)}`,
        ...enrol(host, token, install, diskless),
      ].join('\n');
    },
  },

  retire: {
    plan: ({ host, runs }, { off }) =>
      [
        `Would take ${host} out of service for good: its certificate is revoked, and only a new host can replace it.`,
        ...(runs > 0 ? [`The tunnels of ${runs} subscriptions end, and nothing is moved.`] : []),
        ...(off
          ? ['You declare that its machine is off: another host may serve its addresses at once.']
          : []),
      ].join('\n'),
    done: ({ host, ...stays }) => `${host} is retired. ${staysText(host, stays)}`,
  },
};

function showText(host: Shown): string {
  const { id, earlierMayServeUntil: until } = host;
  return [
    `${id} at ${host.place}: ${host.state}`,
    `runs ${host.runs} of ${host.capacity} subscriptions, weight ${host.weight}, resolvers ${host.dns.join(', ')}`,
    `machine ${host.machine ?? 'not set'}, ${host.seenAt ? `last report ${minute(new Date(host.seenAt))}` : 'no report yet'}`,
    ...(host.ownAddresses.length > 0
      ? [`addresses of the machine and its router, never sold: ${host.ownAddresses.join(', ')}`]
      : []),
    ...(host.alerts.length > 0 ? [`open alerts: ${host.alerts.join(', ')}`] : []),
    ...(host.behind > 0 ? [`has not applied its last ${host.behind} changes yet`] : []),
    ...(until
      ? [
          `a previous machine of it may serve until ${minute(new Date(until))}. If it is certainly off, run one of:\n    npm run shop -- host replace --host ${id} --off\n    npm run shop -- host retire --host ${id} --off`,
        ]
      : []),
    ...host.pools.map(pool => poolText(id, pool)),
    ...host.customers.map(({ email, subscription }) => `serves ${email}  ${subscription}`),
  ].join('\n  ');
}

function poolText(
  hostId: string,
  { id, prefix6, addresses, taken, port, tcpPort, bind, routing, movingFrom, routed }: Pool,
): string {
  const bound = bind ? `, bound to addresses from ${bind}` : '';
  const six = prefix6 ? `, IPv6 ${prefix6}` : '';
  const way = routing === 'hcloud' ? ', routed by Hetzner' : '';
  const moving = `${movingFrom && movingFrom !== hostId ? `, moving from ${movingFrom}` : ''}${routed ? '' : ', not routed here yet'}`;
  return `${id}: ${taken} of ${addresses} addresses taken, port ${port}${tcpPort ? ` and TCP ${tcpPort}` : ', no TCP'}${bound}${six}${way}${moving}`;
}
