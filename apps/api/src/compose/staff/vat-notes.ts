import { dayIn } from '@fixpoint/domain/kernel/time-zone.ts';
import { VAT_NOTICE_MS } from '@fixpoint/domain/subscription/price-notice.ts';
import { sql } from 'kysely';
import { type Catalogue, CatalogueFault, type VatRates } from '../../modules/catalog/index.ts';
import type { Db } from '../../ports/database.ts';

/**
 * What an operator must know before they import other rates of VAT of the country of sale.
 * @throws CatalogueFault where another rate without a first day would be that of documents that exist
 */
export async function vatNotes(
  db: Db,
  country: string,
  now: Date,
  before: Catalogue,
  after: Catalogue,
): Promise<string[]> {
  const [was, is] = [before.vat[country], after.vat[country]!];
  const changes = is.filter(({ from, rateBp }) =>
    was?.every(old => old.from !== from || old.rateBp !== rateBp),
  );
  const isRevoked = was?.some(old => is.every(({ from }) => from !== old.from));
  if (changes.length === 0 && !isRevoked) return [];
  const wrong = await documentsAtAnotherRate(db, country, is);
  if (was && wrong.count > 0 && changes.some(({ from }) => from === null))
    throw new CatalogueFault(noFirstDay(country, dayIn(country, new Date(now.getTime() + DAY_MS)), was, is));
  const late = dayIn(country, new Date(now.getTime() + VAT_NOTICE_MS));
  return [
    'A rate of VAT applies to every payment from its first day on, renewals too. Who renews at it is notified 31 days before.',
    ...changes
      .filter(({ from }) => from && from < late)
      .map(({ from }) => `${from} is less than 31 days away: customers are notified later than that.`),
    ...(wrong.count > 0
      ? [
          `${wrong.count} documents since ${wrong.since} have another rate. Reverse them by credit notes, or use a later day; npm run shop -- books lists them.`,
        ]
      : []),
  ];
}

const DAY_MS = 24 * 60 * 60_000;

/** Numbered invoices of a country that have another rate than these say for their day. */
async function documentsAtAnotherRate(db: Db, country: string, rates: VatRates) {
  const {
    rows: [found],
  } = await sql<{ count: number; since: string | null }>`
    select count(distinct invoice.id)::int as count, min(numbered_on)::text as since
    from invoice join invoice_line line on line.invoice_id = invoice.id
    where numbered_on is not null and seller ->> 'country' = ${country} and vat_rate_bp <> (
      select (rate ->> 'rateBp')::int from jsonb_array_elements(${JSON.stringify(rates)}::jsonb) rate
      where rate ->> 'from' is null or (rate ->> 'from')::date <= numbered_on
      order by rate ->> 'from' desc nulls last limit 1)`.execute(db);
  return found!;
}

/** Names the rates of existing documents, and the new one with the earliest day that has none. */
function noFirstDay(country: string, tomorrow: string, was: VatRates, is: VatRates): string {
  const past = was.filter(({ from }) => from === null || from < tomorrow);
  const [next] = is;
  const lines = next!.rateBp === past.at(-1)!.rateBp ? past : [...past, { ...next!, from: tomorrow }];
  const written = lines.map(
    ({ from, rateBp }) => `      - { ${from ? `from: ${from}, ` : ''}rate: ${rateBp / 100} }`,
  );
  return `Nothing changed. Documents have other rates of VAT than these, so a new one needs a first day. Write:
  vat:
    ${country}:
${written.join('\n')}`;
}
