import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Whether nobody listens on this address yet. @throws for an address that is not this machine's. */
export function isFree(port: number, host: string): Promise<boolean> {
  return listen(port, host).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') return false;
      throw error;
    },
  );
}

/**
 * The wanted port of the loopback address when it is free, otherwise any other: below those that systems give to outgoing
 * connections, one of which could have it before it is listened on.
 */
export async function freePort(wanted = 0): Promise<number> {
  for (let port = wanted; ; port = randomInt(20_000, 32_768))
    if (port !== 0 && (await isFree(port, '127.0.0.1'))) return port;
}

function listen(port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(port, host, () => server.close(() => resolve()));
  });
}
