import { z } from 'zod';
import { id, instant } from '../schema.ts';
import { operation, shown, textOfFile } from './operation.ts';

const host = shown(id, 'ID');
const flag = (meaning: string) => shown(z.boolean().default(false), '', meaning);
const text = z.string().max(2000);
const settings = {
  port: shown(text, 'N').optional(),
  tcp: shown(text, 'N|none').optional(),
  routing: shown(text, 'static|hcloud').optional(),
  dns: shown(text, 'A.B.C.D[,…]').optional(),
  machine: shown(text, 'ADDRESS|NUMBER').optional(),
  capacity: shown(text, 'N').optional(),
  weight: shown(text, 'N').optional(),
};
const pool = shown(text, 'A.B.C.0/24[=BOUND/24][+IPV6/56][,…]');
const diskless = flag('A token for every boot.');
const off = flag('The previous machine is certainly off.');
/** Integer columns of a list of hosts. */
const line = {
  id: z.string(),
  place: z.string(),
  state: z.string(),
  capacity: z.int(),
  runs: z.int(),
  addresses: z.int(),
  free: z.int(),
  agent: z.string().nullable(),
  /** Kinds of its open alerts. */
  alerts: z.array(z.string()),
};
/** Line to paste on the machine, where the shop has a package of the agent. */
const install = z.string().optional();
const occupancy = { runs: z.int(), reserved: z.int() };
const technician = { role: 'technician', kind: 'changes', reason: 'optional' } as const;
const reads = { role: 'viewer', kind: 'reads', reason: 'none' } as const;

export const hostOperations = {
  add: operation({
    ...technician,
    summary:
      'Adds a VPN host with its addresses and prints an enrolment token for its agent, good once within 15 minutes.',
    input: z.strictObject({
      host,
      provider: shown(id, 'ID'),
      region: shown(id, 'ID'),
      vendor: shown(id, 'ID'),
      pool,
      ...settings,
      diskless,
    }),
    data: z.object({
      host: z.string(),
      place: z.string(),
      addresses: z.int(),
      pools: z.array(z.string()),
      port: z.int(),
      token: z.string(),
      install,
    }),
  }),
  set: operation({
    ...technician,
    summary: 'Adds addresses to a host, an IPv6 prefix to a range, or changes other settings.',
    input: z.strictObject({ host, pool: pool.optional(), ...settings }),
    data: z.object({ host: z.string(), added: z.int().optional() }),
  }),
  list: operation({
    ...reads,
    summary:
      'Lists the hosts in service and what they run. Exits with 1 when one has an open alert, such as silence or an old agent.',
    input: z.strictObject({ retired: flag('Also retired hosts.') }),
    data: z.object({ hosts: z.array(z.object(line)) }),
  }),
  show: operation({
    ...reads,
    summary: 'Shows one host, its ranges, its customers and what it waits for.',
    input: z.strictObject({ host }),
    data: z.object({
      ...line,
      dns: z.array(z.string()),
      machine: z.string().nullable(),
      ownAddresses: z.array(z.string()),
      weight: z.number(),
      seenAt: instant.nullable(),
      behind: z.int(),
      earlierMayServeUntil: instant.nullable(),
      pools: z.array(
        z.object({
          id: z.string(),
          prefix6: z.string().nullable(),
          port: z.int(),
          tcpPort: z.int().nullable(),
          routing: z.enum(['static', 'hcloud']),
          routed: z.boolean(),
          movingFrom: z.string().nullable(),
          addresses: z.int(),
          taken: z.int(),
          bind: z.string().nullable(),
        }),
      ),
      customers: z.array(z.object({ email: z.string(), subscription: z.string() })),
    }),
  }),
  drift: operation({
    ...reads,
    summary:
      'Compares the paid entitlements with what hosts run, down to their kernels. Exits with 1 when they differ.',
    input: z.strictObject({}),
    data: z.object({ differing: z.array(z.object({ where: z.string(), lines: z.array(z.string()) })) }),
  }),
  drain: operation({
    ...technician,
    summary: 'Sends no new customers to a host. Those that it has stay until you move them.',
    input: z.strictObject({ host, undo: flag('Sends new customers again.') }),
    data: z.object({ host: z.string(), ...occupancy }),
  }),
  move: operation({
    ...technician,
    steps: true,
    preview: true,
    unattended: true,
    summary:
      'Moves addresses with their customers to another host of the same place, or continues such a move. Exits with 1 as long as something is left to do.',
    input: z.strictObject({
      host,
      to: shown(id, 'ID'),
      pool: shown(text, 'A.B.C.0/24').optional(),
      bind: shown(text, 'BOUND/24').optional(),
      off: flag('The first machine is certainly off.'),
      routed: flag('Your router sends the addresses to the other host now.'),
    }),
    plan: z.object({
      /** False: the move is under way. */
      begins: z.boolean(),
      pools: z.array(z.string()),
      subscriptions: z.int(),
    }),
    data: z.object({ host: z.string(), to: z.string(), todo: z.array(z.string()) }),
  }),
  remove: operation({
    ...technician,
    summary: 'Removes a range of addresses from a host, once nobody holds one of them.',
    input: z.strictObject({ host, pool: shown(text, 'A.B.C.0/24') }),
    data: z.object({ host: z.string(), pool: z.string(), addresses: z.int() }),
  }),
  replace: operation({
    ...technician,
    preview: true,
    unattended: true,
    shownOnce: ['token', 'install'],
    summary:
      'Prints a token for another machine that replaces a host. The present one is told to stop when the other enrols.',
    input: z.strictObject({ host, off, diskless }),
    plan: z.object({ host: z.string(), ...occupancy }),
    data: z.object({ host: z.string(), token: z.string().optional(), install }),
  }),
  retire: operation({
    ...technician,
    preview: true,
    unattended: true,
    summary: 'Takes a host out of service for good. The shop tells it to stop and revokes its certificate.',
    input: z.strictObject({
      host,
      off,
      evenWithCustomers: flag('Retires it with the customers that it still has.'),
    }),
    plan: z.object({ host: z.string(), ...occupancy }),
    data: z.object({ host: z.string(), ...occupancy }),
  }),
};

export const noLogsOperations = {
  prove: operation({
    role: 'technician',
    kind: 'changes',
    reason: 'none',
    steps: true,
    summary:
      'Connects a canary, visits a web server that nobody else visits, and disconnects; then searches the host and the shop for traces of it. Publishes a signed report as /no-logs.json when it finds none, and otherwise exits with 1.',
    input: z.strictObject({
      host,
      at: shown(text, "'ssh root@HOST'", 'How to run a program on the host.').optional(),
      canary: shown(text, "'ssh root@CANARY'", 'How to run a program on the canary.').optional(),
      file: textOfFile('Configuration file of a customer.').optional(),
      server: shown(text, 'ADDRESS[:PORT]').optional(),
      server6: shown(
        text,
        'ADDRESS',
        'IPv6 address of the server, where the subscription has IPv6.',
      ).optional(),
      resolver: shown(text, 'ADDRESS').optional(),
      address: shown(text, 'ADDRESS', 'Public address of a canary behind NAT.').optional(),
      pause: shown(text, 'SECONDS').optional(),
      found: textOfFile('Output of the search on the host, with a canary that you sent yourself.').optional(),
      database: shown(text, 'FOLDER|remote', 'Where the files of the database are, if not found.').optional(),
      ask: shown(text, 'URL,…', 'URLs to search besides the public answers and the metrics.').optional(),
    }),
    data: z.object({
      host: z.string(),
      traces: z.array(z.string()),
      published: z.string().optional(),
    }),
  }),
};
