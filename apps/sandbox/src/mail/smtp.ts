import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';
import type { Faults } from '../control/faults.ts';

const LARGEST = 20 * 1024 * 1024;

/**
 * Passes an email to `receive`, unless a fault is set: then throws the error that a server would
 * reply with.
 */
export const mailReceiver =
  (faults: Faults, receive: (source: Buffer) => Promise<void>) =>
  async (source: Buffer): Promise<void> => {
    const fault = faults.receiveMail();
    if (fault === 'tryLater') throw reply(451, '4.3.0 Try again later');
    if (fault === 'reject') throw reply(550, '5.1.1 No such mailbox');
    if (typeof fault === 'object') await sleep(fault.delay);
    await receive(source);
  };

/** Starts an SMTP server that accepts every mail and passes it to `take`. No TLS: loopback only. */
export async function startSmtp(options: {
  host: string;
  port: number;
  faults: Faults;
  take: (source: Buffer) => Promise<void>;
}): Promise<{ port: number; stop(): Promise<void> }> {
  const { host, port, faults, take } = options;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    size: LARGEST,
    closeTimeout: 200,
    logger: false,
    onAuth: (auth, _, done) => done(null, { user: auth.username ?? 'anybody' }),
    onData: (stream, _, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', chunk => chunks.push(chunk));
      stream.on('end', () => void take(Buffer.concat(chunks)).then(() => done(), done));
    },
  });

  // Before smtp-server's own listener, so a refused connection never sees a greeting.
  server.server.prependListener('connection', (socket: Socket) => {
    if (faults.refusesMailConnection()) socket.destroy();
  });
  server.on('error', () => {
    // A client that disconnects early needs no handling.
  });
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(port, host, () => {
      server.server.off('error', reject);
      resolve();
    });
  });
  const listening = server.server.address();
  return {
    port: typeof listening === 'object' && listening ? listening.port : port,
    stop: () => new Promise(resolve => server.close(() => resolve())),
  };
}

const reply = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode });
