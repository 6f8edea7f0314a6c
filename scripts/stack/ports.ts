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

/** The wanted port of the loopback address when it is free, otherwise any other. */
export async function freePort(wanted = 0): Promise<number> {
  return (await isFree(wanted, '127.0.0.1')) && wanted !== 0 ? wanted : listen(0, '127.0.0.1');
}

function listen(port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(port, host, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : port));
    });
  });
}
