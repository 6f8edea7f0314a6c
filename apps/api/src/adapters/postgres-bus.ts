import { sql } from 'kysely';
import { Client } from 'pg';
import type { Logger } from 'pino';
import type { Db } from '../ports/database.ts';
import type { LiveBus } from '../ports/live.ts';

const CHANNEL = 'fixpoint';

export type BusMessage =
  | { kind: 'event'; room: string; event: string; payload: unknown }
  | { kind: 'disconnect'; target: string }
  | { kind: 'host'; hostId: string };

const notify = async (tx: Db, message: BusMessage) => {
  await sql`select pg_notify(${CHANNEL}, ${JSON.stringify(message)})`.execute(tx);
};

export const liveBus: LiveBus = {
  publish: (tx, room, event, payload) => notify(tx, { kind: 'event', room, event, payload }),
  disconnect: (tx, target) => notify(tx, { kind: 'disconnect', target }),
  hostChanged: (tx, hostId) => notify(tx, { kind: 'host', hostId }),
};

/**
 * Hears what all nodes publish, on a connection of its own that is opened again whenever it breaks. `onReconnect`
 * tells that messages may have been missed meanwhile.
 */
export async function listen(
  url: string,
  log: Logger,
  onMessage: (message: BusMessage) => void,
  onReconnect: () => void,
): Promise<{ stop(): Promise<void> }> {
  let stopped = false;
  let client: Client | undefined;

  const connect = async (): Promise<void> => {
    const next = new Client({ connectionString: url, keepAlive: true });
    next.on('notification', ({ payload }) => payload && onMessage(JSON.parse(payload) as BusMessage));
    next.on('error', () => {});
    next.once('end', () => void (stopped || retry()));
    await next.connect();
    await next.query(`listen ${CHANNEL}`);
    client = next;
  };
  const retry = async (): Promise<void> => {
    for (let delay = 100; !stopped; delay = Math.min(delay * 2, 5_000)) {
      await new Promise(done => setTimeout(done, delay));
      try {
        await connect();
        onReconnect();
        return;
      } catch (error) {
        log.warn({ err: error }, 'live bus not connected yet');
      }
    }
  };

  await connect();
  return {
    async stop() {
      stopped = true;
      await client?.end();
    },
  };
}
