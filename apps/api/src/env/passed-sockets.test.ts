import { expect, test } from 'vitest';
import { passedSockets } from './passed-sockets.ts';

const given = { LISTEN_PID: '42', LISTEN_FDS: '2', LISTEN_FDNAMES: 'http:agents' };

test('OP16 the sockets that systemd holds are found by their names, and only by the process that got them', () => {
  expect([...passedSockets(given, 42)]).toEqual([
    ['http', 3],
    ['agents', 4],
  ]);
  expect(passedSockets(given, 43).size).toBe(0);
  expect(passedSockets({}, 42).size).toBe(0);
});
