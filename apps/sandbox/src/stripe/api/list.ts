import type Stripe from 'stripe';
import type { z } from 'zod';
import { invalid, missing } from '../errors.ts';
import { type created, integer, text } from '../params.ts';
import type { World } from '../world.ts';

/** The parameters every list takes. */
export const paging = {
  limit: integer.optional(),
  starting_after: text.optional(),
  ending_before: text.optional(),
};

type Page = { limit?: number; starting_after?: string; ending_before?: string };

/** The page that a call asks for of `rows` (given oldest first, answered newest first, as Stripe lists). */
export function list<T extends { id: string }>(
  { world, path, listLag }: { world: World; path: string; listLag(): number },
  rows: T[],
  page: Page,
) {
  const until = world.clock.now() - listLag();
  return pageOf(path, rows, page, row => world.bornAt(row.id) <= until);
}

/** One page of `rows`, of which some may not be listed yet. */
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
  const newestFirst = rows.toReversed();
  const indexOf = (id: string, param: string) => {
    const index = newestFirst.findIndex(row => row.id === id);
    if (index < 0) throw missing('object', id, param);
    return index;
  };
  if (page.ending_before) {
    const before = newestFirst.slice(0, indexOf(page.ending_before, 'ending_before')).filter(isListed);
    return { object: 'list', data: before.slice(-limit), has_more: before.length > limit, url };
  }
  const start = page.starting_after ? indexOf(page.starting_after, 'starting_after') + 1 : 0;
  const after = newestFirst.slice(start).filter(isListed);
  return { object: 'list', data: after.slice(0, limit), has_more: after.length > limit, url };
}

/** Whether a row was created within the given range. */
export function createdWithin(row: { created: number }, range: z.output<typeof created>): boolean {
  if (range === undefined) return true;
  if (typeof range === 'number') return row.created === range;
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = range;
  return row.created > gt && row.created >= gte && row.created < lt && row.created <= lte;
}
