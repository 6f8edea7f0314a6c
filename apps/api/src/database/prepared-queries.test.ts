import { expect, test } from 'vitest';
import type { Db } from '../ports/database.ts';
import { prepareQuery } from './prepared-queries.ts';

test('values replace their placeholders, including repeated ones, and constants stay', async () => {
  const made: unknown[] = [];
  const executeQuery = async (query: object) => {
    made.push(query);
    return { rows: [] };
  };
  const db = { executeQuery } as unknown as Db;
  const read = prepareQuery((db, values: { id: string; size: number }) =>
    db
      .selectFrom('subscription')
      .select('id')
      .where('status', '=', 'active')
      .where(eb => eb.or([eb('id', '=', values.id), eb('order_id', '=', values.id)]))
      .limit(values.size),
  );
  await read(db, { id: 'sub_1', size: 20 });
  await read(db, { id: 'sub_2', size: 5 });
  expect(made).toMatchObject([
    { parameters: ['active', 'sub_1', 'sub_1', 20] },
    { parameters: ['active', 'sub_2', 'sub_2', 5] },
  ]);
  expect((made[0] as { sql: string }).sql).toBe((made[1] as { sql: string }).sql);
});
