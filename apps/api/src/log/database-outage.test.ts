import { expect, test, vi } from 'vitest';
import { createLogger, outageOf } from './logger.ts';

function watched(answers: () => Promise<unknown>) {
  const lines: string[] = [];
  const log = createLogger('info', {
    write: line => void lines.push((JSON.parse(line) as { msg: string }).msg),
  });
  return { lines, log, watch: outageOf(log)!.watch(answers, log) };
}
const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });

test('errors that look like the database’s are written while it answers, and all others at once', async () => {
  const { lines, log } = watched(async () => {});
  log.error({ err: refused }, 'a gateway refuses');
  log.error({ err: new TypeError('x is not a function') }, 'a defect');
  log.info('a message');
  expect(lines).toEqual(['a defect', 'a message']);
  await vi.waitFor(() => expect(lines).toContain('a gateway refuses'));
  expect(lines).toHaveLength(3);
});

test('errors of a database that is away are one line; what is kept back at the end is written', async () => {
  const { lines, log, watch } = watched(() => Promise.reject(refused));
  for (let call = 0; call < 5; call += 1) log.child({ route: '/' }).error({ err: refused }, 'call');
  await vi.waitFor(() =>
    expect(lines).toEqual(['the database does not answer; further errors of it are left out']),
  );
  log.error({ err: refused }, 'call');
  expect(lines).toHaveLength(1);
  watch.stop();
  log.error({ err: refused }, 'after the end');
  expect(lines.at(-1)).toBe('after the end');
});
