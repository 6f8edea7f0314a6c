import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { framed } from './frames.ts';
import { createListeners } from './listeners.ts';

const HOST = '127.0.0.1';
/**
 * Shortest allowed packets. A client's packets are encrypted with the server's key; here they start
 * with this byte.
 */
const KEY = 1;
const known = framed(Buffer.alloc(24, KEY));
const unknown = framed(Buffer.alloc(24));

const endings: (() => unknown)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const end of endings.splice(0).reverse()) await end();
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, HOST);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise(done => server.close(done));
  return port;
}

/** Server that echoes packets with its key and ignores others. */
async function startServer() {
  const socket = createSocket('udp4');
  let heard = 0;
  socket.on('message', (packet, { port, address }) => {
    heard += 1;
    if (packet[0] === KEY) socket.send(packet, port, address);
  });
  socket.bind(0, HOST);
  await once(socket, 'listening');
  endings.push(() => socket.close());
  return { port: socket.address().port, heard: () => heard };
}

async function startRelay(routes: number, maxUnanswered?: number) {
  const server = await startServer();
  const ports = await Promise.all(Array.from({ length: routes }, freePort));
  const setRoutes = createListeners(maxUnanswered);
  await setRoutes(ports.map(tcpPort => ({ address: HOST, tcpPort, udpPort: server.port })));
  endings.push(() => setRoutes([]));
  return { ports, heard: server.heard };
}

function dial(port: number): Socket {
  const socket = connect(port, HOST).on('error', () => undefined);
  endings.push(() => socket.destroy());
  return socket;
}

async function call(port: number): Promise<Socket> {
  const socket = dial(port);
  await once(socket, 'connect');
  return socket;
}

const cut = (socket: Socket) =>
  new Promise<void>(done => (socket.destroyed ? done() : socket.once('close', () => done())));

/** @throws Error when the connection ends instead */
async function answer(socket: Socket): Promise<void> {
  const ended = cut(socket).then(() => {
    throw new Error('cut off');
  });
  socket.write(known);
  await Promise.race([once(socket, 'data'), ended]);
}

async function callOfCustomer(port: number): Promise<Socket> {
  const socket = await call(port);
  await answer(socket);
  return socket;
}

describe('V16 the relay', () => {
  it('accepts little from a stranger, and everything from a client that the server has answered', async () => {
    const { ports, heard } = await startRelay(1);
    const flood = (packet: Buffer) => Buffer.concat(Array.from({ length: 200 }, () => packet));
    const stranger = await call(ports[0]!);
    stranger.write(flood(unknown));
    await cut(stranger);
    expect(heard()).toBeLessThan(160);
    const customer = await callOfCustomer(ports[0]!);
    let got = 0;
    const all = new Promise<void>(done => {
      customer.on('data', piece => {
        got += piece.length;
        if (got === flood(known).length) done();
      });
    });
    customer.write(flood(known));
    await all;
  });

  it('disconnects callers that send one-byte packets, even customers', async () => {
    const { ports, heard } = await startRelay(1);
    const customer = await callOfCustomer(ports[0]!);
    const before = heard();
    customer.write(framed(Buffer.alloc(1, KEY)));
    await cut(customer);
    expect(heard()).toBe(before);
  });

  it('disconnects a stranger after five seconds, and a customer after twenty idle seconds', async () => {
    const { ports } = await startRelay(1);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const stranger = await call(ports[0]!);
    const customer = await callOfCustomer(ports[0]!);
    vi.advanceTimersByTime(4900);
    await answer(customer);
    expect(stranger.destroyed).toBe(false);
    vi.advanceTimersByTime(200);
    await cut(stranger);
    vi.advanceTimersByTime(19_700);
    await answer(customer);
    vi.advanceTimersByTime(20_100);
    await cut(customer);
  });

  it('when full, disconnects the oldest stranger for a newcomer, and no customer', async () => {
    const { ports } = await startRelay(1);
    const customer = await callOfCustomer(ports[0]!);
    const strangers: Socket[] = [];
    while (strangers.length < 63) strangers.push(await call(ports[0]!));
    const newcomer = await callOfCustomer(ports[0]!);
    await cut(strangers[0]!);
    await Promise.all([answer(customer), answer(newcomer), ...strangers.slice(1).map(answer)]);
    await cut(dial(ports[0]!));
    await answer(customer);
  });

  it('limits the number of strangers on all addresses together', async () => {
    const { ports } = await startRelay(2, 3);
    const customer = await callOfCustomer(ports[0]!);
    const strangers = [await call(ports[0]!), await call(ports[1]!), await call(ports[0]!)];
    const newcomer = await callOfCustomer(ports[1]!);
    await cut(strangers[0]!);
    await Promise.all([answer(customer), answer(newcomer), ...strangers.slice(1).map(answer)]);
  });
});
