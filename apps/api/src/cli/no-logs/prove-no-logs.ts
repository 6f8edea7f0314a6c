import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type NoLogsReport, type SearchResult, searchResult } from '@fixpoint/contract/no-logs.ts';
import { formsOf } from '@fixpoint/domain/no-logs/forms.ts';
import { createMatcher } from '@fixpoint/domain/no-logs/matcher.ts';
import { openMasterKey } from '../adapters/master-key.ts';
import { createProofSigner } from '../adapters/proof-signer.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { keepProof } from '../modules/provisioning/index.ts';
import { type Command, readArgs, UsageError } from './command.ts';
import { searchShop } from './search-shop.ts';

/** A search says how a host was then. */
const FRESH_MS = 24 * 60 * 60_000;

export const proveNoLogs: Command = {
  usage: [
    {
      form: 'prove-no-logs --host ID --found FILE [--ask URL,…]',
      does: 'searches the shop for what a canary left too; when neither it nor the host (FILE: what its search printed) has any of it, a signed report is published as /no-logs.json',
    },
  ],
  async run({ db, env, say }, args) {
    const { option, optional } = readArgs(args, ['host', 'found', 'ask']);
    const host = option('host');
    const file = option('found');
    const { findings, unread, marks, ...searched } = await read(file);
    if (findings.length + unread.length > 0)
      return { says: complaint(host, { findings, unread }), bad: true };
    if (systemClock.now().getTime() - new Date(searched.searchedAt).getTime() > FRESH_MS)
      throw new UsageError(`${file} is older than a day: search the host again`);
    say(`${host}: nothing found in ${searched.files} files and ${searched.processes} processes.`);
    const shop = await searchShop(
      {
        database: env.DATABASE_URL,
        files: join(env.DATA_DIR, 'postgres'),
        answers: optional('ask')?.split(',') ?? [],
      },
      createMatcher(formsOf(marks)),
    );
    if (shop.findings.length > 0)
      return { says: ['The shop itself keeps:', ...shop.findings].join('\n  '), bad: true };
    const report = JSON.stringify({
      host,
      ...searched,
      marks: { addresses: marks.addresses.length, names: marks.names.length },
      shop: shop.searched,
    } satisfies NoLogsReport);
    const { sign } = createProofSigner(await openMasterKey(db, env.MASTER_KEY_FILE));
    await keepProof(db, host, { report, signature: sign(report) });
    return `The shop: nothing found in ${shop.searched.rows} rows, ${shop.searched.databaseBytes} bytes of files and ${shop.searched.answers.length} answers. Published: /no-logs.json`;
  },
};

async function read(file: string): Promise<SearchResult> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new UsageError(`${file} cannot be read`);
  });
  try {
    return searchResult.parse(JSON.parse(text));
  } catch {
    throw new UsageError(`${file} is not what the search of a host prints`);
  }
}

const complaint = (host: string, { findings, unread }: Pick<SearchResult, 'findings' | 'unread'>): string =>
  [
    `${host} keeps what it must not, or could not be searched. Nothing is published.`,
    ...findings.map(({ place, where, what }) => `${place}, ${where}: ${what}`),
    ...unread.map(where => `not searched: ${where}`),
  ].join('\n  ');
