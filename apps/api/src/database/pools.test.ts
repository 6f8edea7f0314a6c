import type { PoolClient } from 'pg';
import { expect, test, vi } from 'vitest';
import { Connection } from './pools.ts';
import { statementNames } from './statements.ts';

/** A connection whose entering ends on demand, and the statements sent on it. */
function entering() {
  const end = Promise.withResolvers<void>();
  const sent: string[] = [];
  const release = vi.fn();
  const query = async ({ text }: { text: string }) => {
    sent.push(text);
    return { rows: ['of somebody'] };
  };
  const client = { query, release } as unknown as PoolClient;
  const enter = () => {
    sent.push('enter');
    return end.promise;
  };
  return { connection: new Connection(client, statementNames(), enter), sent, end, release };
}

const settled = () => new Promise(setImmediate);

test('a read is sent right behind the entering, and its result is returned only after that has succeeded', async () => {
  const { connection, sent, end } = entering();
  const given = vi.fn();
  const read = connection.query('select 1', []).then(given);
  await settled();
  expect(sent).toEqual(['enter', 'select 1']);
  expect(given).not.toHaveBeenCalled();
  end.resolve();
  await read;
  expect(given).toHaveBeenCalledWith({ rows: ['of somebody'] });
  await connection.query('select 2', []);
  expect(sent).toEqual(['enter', 'select 1', 'select 2']);
});

test.each([
  'update a set b = 1',
  'with c as (delete from a returning b) select * from c',
  'insert into a values (1)',
])('a statement that may change something waits: %s', async text => {
  const { connection, sent, end } = entering();
  const written = connection.query(text, []);
  await settled();
  expect(sent).toEqual(['enter']);
  end.resolve();
  await written;
  expect(sent).toEqual(['enter', text]);
});

test.each(['select 1', 'update a set b = 1'])(
  'if entering fails, no result is returned and the connection is closed: %s',
  async text => {
    const { connection, sent, end, release } = entering();
    const refused = expect(connection.query(text, [])).rejects.toThrow('whose is it');
    end.reject(new Error('whose is it'));
    await refused;
    await expect(connection.query('update a set b = 2', [])).rejects.toThrow('whose is it');
    expect(sent.filter(each => each.startsWith('update'))).toEqual([]);
    connection.release();
    expect(release).toHaveBeenCalledWith(true);
  },
);
