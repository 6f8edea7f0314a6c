import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Whether no program listens on this address. @throws Error for an address of another machine */
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
 * The preferred port of the loopback address if it is free, otherwise a random free one below the ephemeral range: an
 * outgoing connection could take an ephemeral port before the caller listens on it.
 */
export async function freePort(preferred = 0): Promise<number> {
  for (let port = preferred; ; port = randomInt(20_000, 32_768))
    if (port !== 0 && (await isFree(port, '127.0.0.1'))) return port;
}

function listen(port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(port, host, () => server.close(() => resolve()));
  });
}
