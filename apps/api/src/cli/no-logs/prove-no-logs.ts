import { readFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type NoLogsReport, type SearchResult, searchResult } from '@fixpoint/contract/no-logs.ts';
import { formsOf } from '@fixpoint/domain/no-logs/forms.ts';
import { createMatcher } from '@fixpoint/domain/no-logs/matcher.ts';
import { openMasterKey } from '../../adapters/master-key/ring.ts';
import { createProofSigner } from '../../adapters/proof-signer.ts';
import { systemClock } from '../../adapters/system-clock.ts';
import { saveNoLogsProof } from '../../modules/provisioning/index.ts';
import { type Command, type Context, readArgs, UsageError } from '../command.ts';
import { standardAnswers } from './answers.ts';
import { searchHost, sendCanary } from './canary.ts';
import { REMOTE } from './database-files.ts';
import { searchShop } from './search-shop.ts';

/** A search is valid for a day. */
const FRESH_MS = 24 * 60 * 60_000;
/**
 * Seconds between the canary's departure and the search: longer than a host takes to forget (0056).
 */
const PAUSE = '15';
const RESOLVER = '9.9.9.9';

const OPTIONS = [
  'host',
  'found',
  'canary',
  'at',
  'file',
  'server',
  'server6',
  'resolver',
  'address',
  'pause',
] as const;
type Args = ReturnType<typeof readArgs<(typeof OPTIONS)[number] | 'database' | 'ask'>>;

export const proveNoLogs: Command = {
  usage: [
    {
      form: "prove-no-logs --host ID --at 'ssh root@HOST' --canary 'ssh root@CANARY' --file FILE --server ADDRESS[:PORT]",
      does: 'Connects a canary with a customer’s FILE, visits a web server that nobody else visits, and disconnects; then searches the host and the shop for traces of it. Publishes a signed report as /no-logs.json when it finds none. Also: --server6 (IPv6 address of the server, where the subscription has IPv6), --address (of a canary behind NAT), --resolver, --pause SECONDS.',
    },
    {
      form: 'prove-no-logs --host ID --found FILE',
      does: 'Does the same with a canary that you sent yourself. FILE is the output of the search on the host.',
    },
    {
      form: `  --database FOLDER|${REMOTE}  --ask URL,…`,
      does: 'Options of both: where the files of the database are, when they are not found automatically; which URLs to search besides the public answers and the metrics of the shop.',
    },
  ],
  async run(context, args) {
    const { db, env, say } = context;
    const given = readArgs(args, [...OPTIONS, 'database', 'ask']);
    const host = given.option('host');
    const { findings, unread, marks, ...searched } = await searchOf(context, given);
    if (findings.length + unread.length > 0)
      return { says: complaint(host, { findings, unread }), bad: true };
    say(`${host}: nothing found in ${searched.files} files and ${searched.processes} processes.`);
    const shop = await searchShop(
      {
        database: env.DATABASE_URL,
        databaseFolder: given.optional('database'),
        folder: env.DATA_DIR,
        answers: [...standardAnswers(env), ...(given.optional('ask')?.split(',') ?? [])],
      },
      createMatcher(formsOf(marks)),
    );
    if (shop.findings.length > 0)
      return { says: ['The shop itself keeps traces:', ...shop.findings].join('\n  '), bad: true };
    const report = JSON.stringify({
      host,
      ...searched,
      marks: { addresses: marks.addresses.length, names: marks.names.length },
      shop: shop.searched,
    } satisfies NoLogsReport);
    const { sign } = createProofSigner((await openMasterKey(db, env.MASTER_KEY_FILE)).root);
    await saveNoLogsProof(db, host, { report, signature: sign(report) });
    const { rows, databaseBytes, ownBytes, answers } = shop.searched;
    const bare = marks.addresses.some(isIPv6) ? '' : ' IPv6 was not tried: --server6 includes it.';
    return `The shop: nothing found in ${rows} rows, ${databaseBytes} bytes of the database's files, ${ownBytes} of its own and ${answers.length} answers. Published: /no-logs.json.${bare}`;
  },
};

/** Result of the host's search: made now, or within the last day. */
async function searchOf({ say }: Context, given: Args): Promise<SearchResult> {
  const found = given.optional('found');
  if (found) return read(found);
  const [server = '', port = '80'] = given.option('server').split(':');
  const host = given.option('at');
  const left = await sendCanary(
    {
      host,
      canary: given.option('canary'),
      profile: await readText(given.option('file')),
      server,
      server6: given.optional('server6'),
      port: Number(port),
      resolver: given.optional('resolver') ?? RESOLVER,
      address: given.optional('address'),
    },
    systemClock,
  );
  const pause = Number(given.optional('pause') ?? PAUSE);
  say(
    `The canary was seen and has left. The search of the host starts in ${pause} seconds and takes some minutes.`,
  );
  await sleep(pause * 1000);
  return searchHost(host, left);
}

async function read(file: string): Promise<SearchResult> {
  const result = parsed(file, await readText(file));
  if (systemClock.now().getTime() - new Date(result.searchedAt).getTime() > FRESH_MS)
    throw new UsageError(`${file} is older than a day: search the host again`);
  return result;
}

const readText = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch(() => {
    throw new UsageError(`${file} cannot be read`);
  });

function parsed(file: string, text: string): SearchResult {
  try {
    return searchResult.parse(JSON.parse(text));
  } catch {
    throw new UsageError(`${file} is not the output of the search of a host`);
  }
}

const complaint = (host: string, { findings, unread }: Pick<SearchResult, 'findings' | 'unread'>): string =>
  [
    `${host} keeps traces, or could not be searched completely. Nothing is published.`,
    ...findings.map(({ place, where, what }) => `${place}, ${where}: ${what}`),
    ...unread.map(where => `not searched: ${where}`),
  ].join('\n  ');
