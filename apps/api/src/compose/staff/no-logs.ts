import { isIPv6 } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type NoLogsReport, type SearchResult, searchResult } from '@fixpoint/contract/no-logs.ts';
import type { StaffOperations } from '@fixpoint/contract/staff/operations.ts';
import { formsOf } from '@fixpoint/domain/no-logs/forms.ts';
import { createMatcher } from '@fixpoint/domain/no-logs/matcher.ts';
import { openMasterKey } from '../../adapters/master-key/ring.ts';
import { createProofSigner } from '../../adapters/proof-signer.ts';
import { systemClock } from '../../adapters/system-clock.ts';
import { InvalidInput } from '../../kernel/invalid-input.ts';
import { saveNoLogsProof } from '../../modules/provisioning/index.ts';
import { standardAnswers } from '../no-logs/answers.ts';
import { searchHost, sendCanary } from '../no-logs/canary.ts';
import { searchShop } from '../no-logs/search-shop.ts';
import type { AskedOf, HandlersOf, Work } from './handler.ts';

/** A search is valid for a day. */
const FRESH_MS = 24 * 60 * 60_000;
/**
 * Seconds between the canary's departure and the search: longer than a host takes to forget (0056).
 */
const PAUSE = '15';
const RESOLVER = '9.9.9.9';

type Input = AskedOf<StaffOperations['no-logs']['prove']>['input'];

export const handlers: HandlersOf<'no-logs'> = {
  async prove(work, { input }) {
    const { db, env, say, note } = work;
    const { host } = input;
    note({ subject: host });
    const { findings, unread, marks, ...searched } = await searchOf(work, input);
    if (findings.length + unread.length > 0) return { host, traces: complaint(host, { findings, unread }) };
    say(`${host}: nothing found in ${searched.files} files and ${searched.processes} processes.`);
    const shop = await searchShop(
      {
        database: env.DATABASE_URL,
        databaseFolder: input.database,
        folder: env.DATA_DIR,
        answers: [...standardAnswers(env), ...(input.ask?.split(',') ?? [])],
      },
      createMatcher(formsOf(marks)),
    );
    if (shop.findings.length > 0)
      return { host, traces: ['The shop itself keeps traces:', ...shop.findings] };
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
    return {
      host,
      traces: [],
      published: `The shop: nothing found in ${rows} rows, ${databaseBytes} bytes of the database's files, ${ownBytes} of its own and ${answers.length} answers. Published: /no-logs.json.${bare}`,
    };
  },
};

/** Result of the host's search: made now, or within the last day. */
async function searchOf({ say }: Pick<Work, 'say'>, input: Input): Promise<SearchResult> {
  if (input.found !== undefined) return earlierSearch(input.found);
  const { at: host, canary, file, server: written } = input;
  if (!host || !canary || file === undefined || !written)
    throw new InvalidInput('Give --at, --canary, --file and --server, or --found');
  const [server = '', port = '80'] = written.split(':');
  const left = await sendCanary(
    {
      host,
      canary,
      profile: file,
      server,
      server6: input.server6,
      port: Number(port),
      resolver: input.resolver ?? RESOLVER,
      address: input.address,
    },
    systemClock,
  );
  const pause = Number(input.pause ?? PAUSE);
  say(
    `The canary was seen and has left. The search of the host starts in ${pause} seconds and takes some minutes.`,
  );
  await sleep(pause * 1000);
  return searchHost(host, left);
}

/** @throws InvalidInput if it is no result of a search, or older than a day */
function earlierSearch(text: string): SearchResult {
  const result = parsed(text);
  if (systemClock.now().getTime() - new Date(result.searchedAt).getTime() > FRESH_MS)
    throw new InvalidInput('The search is older than a day: search the host again');
  return result;
}

function parsed(text: string): SearchResult {
  try {
    return searchResult.parse(JSON.parse(text));
  } catch {
    throw new InvalidInput('The file is not the output of the search of a host');
  }
}

const complaint = (
  host: string,
  { findings, unread }: Pick<SearchResult, 'findings' | 'unread'>,
): string[] => [
  `${host} keeps traces, or could not be searched completely. Nothing is published.`,
  ...findings.map(({ place, where, what }) => `${place}, ${where}: ${what}`),
  ...unread.map(where => `not searched: ${where}`),
];
