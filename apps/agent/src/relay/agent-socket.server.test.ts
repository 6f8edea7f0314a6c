import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { connectRelay } from '../adapters/relay/connection.ts';
import { listenForAgent } from './agent-socket.ts';

/** The connection between agent and relay. An unhandled error fails the test by itself. */
let folder: string;
let path: string;
const servers: Server[] = [];
const route = { address: '203.0.113.11', tcpPort: 443, udpPort: 1194 };
const listening = async (server: Server): Promise<Server> => {
  servers.push(server);
  await once(server.listen(path), 'listening');
  return server;
};
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fixpoint-'));
  path = join(folder, 'socket');
});
afterEach(async () => {
  for (const server of servers.splice(0)) server.close();
  rmSync(folder, { recursive: true });
});

it('FV8 a relay continues when the agent dies before reading the answer', async () => {
  const led = Promise.withResolvers<void>();
  const server = await listening(
    listenForAgent(async () => {
      led.resolve();
      return ['a way'];
    }),
  );
  const agent = connect({ path }).pause();
  const [accepted] = (await once(server, 'connection')) as [Socket];
  const failed = once(accepted, 'error');
  agent.write('[]\n');
  await led.promise;
  // Writing the answer then fails in the relay.
  agent.destroy();
  await failed;
  const next = await connectRelay(path);
  expect(await next.sendRoutes([route])).toEqual(['a way']);
});

it('FV8 an agent continues when the relay dies before reading the routes', async () => {
  const server = await listening(createServer({ pauseOnConnect: true }));
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const connection = await connectRelay(path);
  const [relay] = await accepted;
  const answered = connection.sendRoutes([route]);
  const refused = expect(answered).rejects.toThrow('the relay has ended');
  setImmediate(() => relay.destroy());
  await refused;
  await connection.closed;
});
