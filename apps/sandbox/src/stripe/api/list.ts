import type Stripe from 'stripe';
import type { z } from 'zod';
import { invalid, missing } from '../errors.ts';
import { type created, integer, text } from '../params.ts';
import type { StripeState } from '../state.ts';

/** Parameters of every list. */
export const paging = {
  limit: integer.optional(),
  starting_after: text.optional(),
  ending_before: text.optional(),
};

type Page = { limit?: number; starting_after?: string; ending_before?: string };

/**
 * Returns the requested page of matching `rows` (given oldest first, answered newest first, as
 * Stripe lists).
 */
export function list<T extends { id: string }>(
  { state, path, listLag }: { state: StripeState; path: string; listLag(): number },
  rows: T[],
  page: Page,
  fits: (row: T) => boolean = () => true,
) {
  const lag = listLag();
  const until = state.clock.now() - lag;
  return pageOf(path, rows, page, row => fits(row) && (lag === 0 || state.creationTime(row.id) <= until));
}

/** Returns one page of `rows`, some of which may not be listed. Reads only the rows of the page. */
export function pageOf<T extends { id: string }>(
  url: string,
  rows: T[],
  page: Page,
  isListed: (row: T) => boolean = () => true,
): Stripe.ApiList<T> {
  const limit = page.limit ?? 10;
  if (limit < 1 || limit > 100) {
    throw invalid(
      limit < 1
        ? 'This value must be greater than or equal to 1.'
        : `This value must be less than or equal to 100 (it currently is '${limit}').`,
      { code: 'parameter_invalid_integer', param: 'limit' },
    );
  }
  const indexOf = (id: string, param: string) => {
    const index = rows.findLastIndex(row => row.id === id);
    if (index < 0) throw missing('object', id, param);
    return index;
  };
  /** Starts at `from` and reads one more row than the page has, if there is one. */
  const walk = (from: number, step: 1 | -1): T[] => {
    const found: T[] = [];
    for (let at = from; at >= 0 && at < rows.length && found.length <= limit; at += step)
      if (isListed(rows[at]!)) found.push(rows[at]!);
    return found;
  };
  if (page.ending_before) {
    const found = walk(indexOf(page.ending_before, 'ending_before') + 1, 1);
    return { object: 'list', data: found.slice(0, limit).reverse(), has_more: found.length > limit, url };
  }
  const last = page.starting_after ? indexOf(page.starting_after, 'starting_after') : rows.length;
  const found = walk(last - 1, -1);
  return { object: 'list', data: found.slice(0, limit), has_more: found.length > limit, url };
}

/** Whether a row was created within the given range. */
export function createdWithin(row: { created: number }, range: z.output<typeof created>): boolean {
  if (range === undefined) return true;
  if (typeof range === 'number') return row.created === range;
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = range;
  return row.created > gt && row.created >= gte && row.created < lt && row.created <= lte;
}
