import { openMasterKey } from '../../adapters/master-key/ring.ts';
import { liveBus } from '../../adapters/postgres-bus.ts';
import { systemClock } from '../../adapters/system-clock.ts';
import { createVaultSigner } from '../../adapters/vault-signer.ts';
import {
  addHost,
  drainHost,
  type HostDeps,
  type HostOccupancy,
  readHostSettings,
  replaceHost,
  retireHost,
  setHost,
  type WrittenSettings,
} from '../../modules/provisioning/index.ts';
import { type Command, type Context, readArgs, type Said, UsageError } from '../command.ts';
import { showDrift } from './drift.ts';
import { moveHost } from './move.ts';
import { listHosts, showHost } from './show.ts';

const SETTINGS = ['pool', 'port', 'tcp', 'routing', 'dns', 'machine', 'capacity', 'weight'] as const;
const OPTIONS =
  '[--dns A.B.C.D[,…]] [--capacity N] [--weight N] [--machine ADDRESS|NUMBER] [--port N] [--tcp N|none] [--routing static|hcloud]';

type Verb = (context: Context, args: string[]) => Promise<string | Said>;

/** Commands for VPN hosts. Each prints what it has done and what comes next. */
const verbs: Record<string, Verb> = {
  add,
  set,
  list: listHosts,
  show: showHost,
  drift: showDrift,
  drain,
  retire,
  replace,
  move: moveHost,
};

export const host: Command = {
  usage: [
    {
      form: `host add --host ID --provider ID --region ID --vendor ID --pool A.B.C.0/24[=BOUND/24][+IPV6/56][,…] ${OPTIONS} [--diskless]`,
      does: 'Adds a VPN host with its addresses and prints an enrolment token for its agent, good once within 15 minutes. --diskless: a token for every boot.',
    },
    {
      form: `host set --host ID [--pool …] ${OPTIONS}`,
      does: 'Adds addresses to a host, an IPv6 prefix to a range, or changes other settings.',
    },
    { form: 'host list', does: 'Lists all hosts and what they run.' },
    { form: 'host show --host ID', does: 'Shows one host, its ranges and what it waits for.' },
    {
      form: 'host drift',
      does: 'Compares the paid entitlements with what hosts run, down to their kernels. Exits with 1 when they differ.',
    },
    {
      form: 'host drain --host ID [--undo]',
      does: 'Sends no new customers to a host. Those that it has stay until you move them. --undo: sends them again.',
    },
    {
      form: 'host move --host ID --to ID [--pool A.B.C.0/24 [--bind BOUND/24]] [--off] [--routed]',
      does: 'Moves addresses with their customers to another host of the same place. --off: the first machine is certainly off. --routed: your router sends them there now.',
    },
    {
      form: 'host replace --host ID [--off] [--diskless]',
      does: 'Prints a token for another machine that replaces a host. --off: the previous one is certainly off. --diskless: a token for every boot.',
    },
    {
      form: 'host retire --host ID [--off] [--even-with-customers]',
      does: 'Takes a host out of service for good. The shop tells it to stop and revokes its certificate.',
    },
  ],
  run(context, [action = '', ...args]) {
    const verb = Object.hasOwn(verbs, action) ? verbs[action] : undefined;
    if (!verb) throw new UsageError(`Use one of: host ${Object.keys(verbs).join(', ')}`);
    return verb(context, args);
  },
};

async function depsOf({ db, env }: Context): Promise<HostDeps> {
  const signer = createVaultSigner((await openMasterKey(db, env.MASTER_KEY_FILE)).vault);
  return { db, signer, clock: systemClock, live: liveBus };
}

const readSettings = (id: string, optional: (name: (typeof SETTINGS)[number]) => string | undefined) =>
  readHostSettings(id, Object.fromEntries(SETTINGS.map(name => [name, optional(name)])) as WrittenSettings);

/** The last line is the token alone, because scripts read it from there. */
const enrol = (id: string, token: string, diskless: boolean): string[] => [
  diskless
    ? `Seal the next line with systemd-creds on the machine of ${id}; it is valid at every boot (docs/operate/hosts.md).`
    : `Set the next line as AGENT_TOKEN on the machine of ${id} within 15 minutes (docs/operate/going-live.md, step 7).`,
  token,
];

async function add(context: Context, args: string[]): Promise<string> {
  const { option, optional, has } = readArgs(
    args,
    ['host', 'provider', 'region', 'vendor', ...SETTINGS],
    ['diskless'],
  );
  const id = option('host');
  const place = {
    providerId: option('provider'),
    regionId: option('region'),
    vendorId: option('vendor'),
  };
  option('pool');
  const settings = readSettings(id, optional);
  const { token, addresses } = await addHost(await depsOf(context), place, id, settings, has('diskless'));
  const { pools, port } = settings;
  return [
    `${id} is added at ${Object.values(place).join(', ')}.`,
    `It has ${addresses} addresses of ${pools.map(({ prefix }) => prefix).join(', ')}, on port ${port}.`,
    ...enrol(id, token, has('diskless')),
  ].join('\n');
}

async function set(context: Context, args: string[]): Promise<string> {
  const { option, optional } = readArgs(args, ['host', ...SETTINGS]);
  const id = option('host');
  if (SETTINGS.every(name => optional(name) === undefined)) throw new UsageError('A setting is missing.');
  const settings = readSettings(id, optional);
  const { addresses } = await setHost(await depsOf(context), id, settings);
  const came = settings.pools.length > 0 ? ` It has ${addresses} more addresses.` : '';
  return `${id} is changed.${came} To see its settings, run:\nnpm run shop -- host show --host ${id}`;
}

async function drain({ db }: Context, args: string[]): Promise<string> {
  const { option, has } = readArgs(args, ['host'], ['undo']);
  const id = option('host');
  const stays = await drainHost({ db }, id, !has('undo'));
  if (has('undo')) return `${id} gets new customers again.`;
  return isEmpty(stays)
    ? `${id} gets no new customers and is empty. To take it out of service, run:\nnpm run shop -- host retire --host ${id}`
    : `${id} gets no new customers. ${staysText(id, stays)}`;
}

const isEmpty = ({ runs, reserved }: HostOccupancy): boolean => runs + reserved === 0;

/** What remains on a host, and the next step. */
const staysText = (id: string, stays: HostOccupancy): string => {
  const { runs, reserved } = stays;
  const next = `\nTo move them to another host, run:\nnpm run shop -- host move --host ${id} --to HOST`;
  return `Subscriptions on it: ${runs}. Reserved addresses: ${reserved}.${isEmpty(stays) ? '' : next}`;
};

async function replace(context: Context, args: string[]): Promise<string> {
  const { option, has } = readArgs(args, ['host'], ['off', 'diskless']);
  const id = option('host');
  const token = await replaceHost(await depsOf(context), id, {
    earlierIsOff: has('off'),
    diskless: has('diskless'),
  });
  const before = has('off')
    ? 'It serves at once, because you declared that the previous machine is off.'
    : 'When it enrols, the previous machine is told to stop. The new one serves once that is confirmed. If the previous machine cannot confirm, it serves when the set there is seven days old, or at once with --off.';
  return [
    `Another machine can now enrol as ${id} and gets everything that it runs. ${before}`,
    ...enrol(id, token, has('diskless')),
  ].join('\n');
}

async function retire(context: Context, args: string[]): Promise<string> {
  const { option, has } = readArgs(args, ['host'], ['off', 'even-with-customers']);
  const id = option('host');
  const stays = await retireHost({ db: context.db, clock: systemClock, live: liveBus }, id, {
    isOff: has('off'),
    evenWithCustomers: has('even-with-customers'),
  });
  return `${id} is retired. ${staysText(id, stays)}`;
}
