import { createServer } from 'node:net';
import { freePort } from '@fixpoint/dev-stack/ports.ts';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { OperatorFault } from '../kernel/operator-fault.ts';
import { listenOn } from './listen.ts';

const app = Fastify() as unknown as FastifyInstance;
afterAll(() => app.close());
const names = { port: 'METRICS_PORT', host: 'METRICS_HOST' };

test('a port that is taken, and an address of another machine, are named with their setting and the remedy', async () => {
  const port = await freePort();
  const other = createServer();
  await new Promise<void>(done => other.listen(port, '127.0.0.1', done));
  const taken = listenOn(app, { port, host: '127.0.0.1' }, names);
  await expect(taken).rejects.toThrow(OperatorFault);
  await expect(taken).rejects.toThrow(`METRICS_PORT: port ${port} is in use`);
  await expect(taken).rejects.toThrow(`ss -ltnp 'sport = :${port}'`);
  other.close();
  const elsewhere = Fastify() as unknown as FastifyInstance;
  await expect(listenOn(elsewhere, { port, host: '192.0.2.7' }, names)).rejects.toThrow(
    'METRICS_HOST: 192.0.2.7 is not an address of this machine',
  );
  await elsewhere.close();
});
