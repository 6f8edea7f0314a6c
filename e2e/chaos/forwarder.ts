import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * Passes TCP connections on, as a load balancer in front of several servers does.
 * @param target port on this machine that takes the next connection; undefined: none is up, and the caller is cut off
 */
export async function startForwarder(target: () => number | undefined) {
  const open = new Set<Socket>();
  const server = createServer(caller => {
    const port = target();
    if (port === undefined) return void caller.destroy();
    const callee = connect(port, '127.0.0.1');
    for (const [one, other] of [
      [caller, callee],
      [callee, caller],
    ] as const) {
      open.add(one);
      one.setNoDelay();
      one.on('error', () => {});
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async stop(): Promise<void> {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
