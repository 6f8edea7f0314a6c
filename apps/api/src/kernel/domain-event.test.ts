import { expect, test } from 'vitest';
import type { Db } from '../ports/database.ts';
import { publisherTo } from './domain-event.ts';

type Event = { type: 'paid'; id: string } | { type: 'refused'; id: string };

const tx = {} as Db;

/**
 * A publisher whose listeners of `paid` record their calls, and which has no listeners of
 * `refused`.
 */
function heard(second: () => void = () => {}) {
  const calls: string[] = [];
  const publish = publisherTo<Event>({
    paid: [
      async (given, { id }) => {
        await Promise.resolve();
        calls.push(`first ${id} ${given === tx}`);
      },
      async (given, { id }) => {
        second();
        calls.push(`second ${id} ${given === tx}`);
      },
      async () => void calls.push('third'),
    ],
    refused: [],
  });
  return { calls, publish };
}

test('listeners run one after the other, in the transaction of the publisher', async () => {
  const { calls, publish } = heard();
  await publish(tx, { type: 'paid', id: 'inv_1' });
  expect(calls).toEqual(['first inv_1 true', 'second inv_1 true', 'third']);
});

test('only listeners of the event’s type run', async () => {
  const { calls, publish } = heard();
  await publish(tx, { type: 'refused', id: 'inv_1' });
  expect(calls).toEqual([]);
});

test('a listener that throws stops the later ones, and the publisher gets the error', async () => {
  const { calls, publish } = heard(() => {
    throw new Error('no');
  });
  await expect(publish(tx, { type: 'paid', id: 'inv_1' })).rejects.toThrow('no');
  expect(calls).toEqual(['first inv_1 true']);
});
