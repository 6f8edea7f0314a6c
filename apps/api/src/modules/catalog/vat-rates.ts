import { dayIn } from '@fixpoint/domain/kernel/time-zone.ts';
import { VAT_NOTICE_MS } from '@fixpoint/domain/subscription/price-notice.ts';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '../../ports/database.ts';

/** Rates of VAT of a country in basis points, oldest first. The first has no start day: it has always applied. */
export type VatRates = readonly { from: string | null; rateBp: number }[];

const percent = z
  .number()
  .min(0)
  .max(100)
  .transform(rate => Math.round(rate * 100));
const later = z.strictObject({ from: z.iso.date('a day is written like 2027-09-01'), rate: percent });

/** `7`, or `[{ rate: 7 }, { from: 2027-09-01, rate: 10 }]`. */
export const vatRates = z.union([
  percent.transform((rateBp): VatRates => [{ from: null, rateBp }]),
  z
    .tuple([z.strictObject({ rate: percent })], later)
    .transform(
      ([{ rate }, ...changes]): VatRates => [
        { from: null, rateBp: rate },
        ...changes.map(change => ({ from: change.from, rateBp: change.rate })),
      ],
    )
    .refine(
      rates => rates.every(({ from }, i) => i < 2 || from! > rates[i - 1]!.from!),
      'the start days do not follow one another',
    ),
]);

/** SQL: the rate of a country on a day there (M4), in basis points; null for a country that the catalogue does not name. */
export const vatRateOn = (country: string, day: string) =>
  sql<number | null>`vat_rate_on(${country}, ${day}::date)`;

/** VAT rate of a country at an instant in basis points. Without one nothing is for sale. */
export async function vatRateOf(db: Db, country: string, at: Date): Promise<number | undefined> {
  const { rate } = await db
    .selectNoFrom(vatRateOn(country, dayIn(country, at)).as('rate'))
    .executeTakeFirstOrThrow();
  return rate ?? undefined;
}

/** Reads the rates of all countries. */
export async function readVatRates(db: Db): Promise<Record<string, VatRates>> {
  const first = await db.selectFrom('vat_rate').selectAll().orderBy('country').execute();
  const later = await db.selectFrom('vat_change').selectAll().orderBy('from_day').execute();
  return Object.fromEntries(
    first.map(({ country, rate_bp }) => [
      country,
      [
        { from: null, rateBp: rate_bp },
        ...later
          .filter(change => change.country === country)
          .map(change => ({ from: change.from_day, rateBp: change.rate_bp })),
      ],
    ]),
  );
}

/** Replaces the rates of all countries. */
export async function writeVatRates(tx: Db, vat: Readonly<Record<string, VatRates>>): Promise<void> {
  await tx.deleteFrom('vat_rate').execute();
  await tx.deleteFrom('vat_change').execute();
  const rates = Object.entries(vat).flatMap(([country, of]) =>
    of.map(({ from, rateBp }) => ({ country, from_day: from, rate_bp: rateBp })),
  );
  await tx
    .insertInto('vat_rate')
    .values(
      rates.filter(rate => rate.from_day === null).map(({ country, rate_bp }) => ({ country, rate_bp })),
    )
    .execute();
  const changes = rates.flatMap(({ from_day, ...rate }) =>
    from_day === null ? [] : [{ ...rate, from_day }],
  );
  if (changes.length > 0) await tx.insertInto('vat_change').values(changes).execute();
}

/**
 * The change of a country's rate that whoever buys now must know (B22): its day comes within the notice period, or before
 * the next payment.
 */
export async function comingVat(
  db: Db,
  country: string,
  now: Date,
  billedAt: Date,
): Promise<{ comingVat?: { rateBp: number; from: string } }> {
  const noticed = new Date(Math.max(now.getTime() + VAT_NOTICE_MS, billedAt.getTime()));
  const change = await db
    .selectFrom('vat_change')
    .select(['from_day', 'rate_bp'])
    .where('country', '=', country)
    .where('from_day', '>', dayIn(country, now))
    .where('from_day', '<=', dayIn(country, noticed))
    .orderBy('from_day')
    .executeTakeFirst();
  return change
    ? { comingVat: { rateBp: change.rate_bp, from: shownDay(change.from_day).toISOString() } }
    : {};
}

/** The instant by which pages and emails, which show days in Bangkok, show a day of another country. */
export const shownDay = (day: string): Date => new Date(`${day}T00:00:00+07:00`);
