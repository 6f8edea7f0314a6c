import type { HostAnswer, HostQuestion } from '@fixpoint/contract/agent.ts';
import { type LiveEvent, type LivePayload, liveEvents } from '@fixpoint/contract/live.ts';
import { sql } from 'kysely';
import { Client } from 'pg';
import type { Logger } from 'pino';
import type { Db } from '../ports/database.ts';
import type { LiveBus } from '../ports/live.ts';
import { JOBS_CHANNEL } from './jobs/job-database.ts';

const CHANNEL = 'fixpoint';

export type BusMessage =
  | { [E in LiveEvent]: { kind: 'event'; room: string; event: E; payload: LivePayload<E> } }[LiveEvent]
  | { kind: 'disconnect'; target: string }
  | { kind: 'host'; hostId: string }
  | { kind: 'question'; hostId: string; question: HostQuestion }
  | { kind: 'answer'; hostId: string; answer: HostAnswer }
  /** A customer's call wished for a job. */
  | { kind: 'jobs' }
  /** The shop's clock was moved. */
  | { kind: 'clock' }
  /** The master key was changed. */
  | { kind: 'masterKey' }
  /** A queue has got a job. */
  | { kind: 'job'; queue: string };

/** Messages that wait for the end of their transaction. */
const waiting = new WeakMap<Db, string[]>();

const notify = async (tx: Db, message: BusMessage) => {
  const text = JSON.stringify(message);
  const later = waiting.get(tx);
  if (later) later.push(text);
  else await sql`select pg_notify(${CHANNEL}, ${text})`.execute(tx);
};

export const liveBus: LiveBus = {
  transaction: (db, work) =>
    db.transaction().execute(async tx => {
      const messages: string[] = [];
      waiting.set(tx, messages);
      const result = await work(tx);
      if (messages.length > 0)
        await sql`select pg_notify(${CHANNEL}, message) from unnest(${messages}::text[]) message`.execute(tx);
      return result;
    }),
  publish: (tx, room, event, payload) => notify(tx, { kind: 'event', room, event, payload } as BusMessage),
  disconnect: (tx, target) => notify(tx, { kind: 'disconnect', target }),
  hostChanged: (tx, hostId) => notify(tx, { kind: 'host', hostId }),
  askHost: (db, hostId, question) => notify(db, { kind: 'question', hostId, question }),
  hostAnswered: (db, hostId, answer) => notify(db, { kind: 'answer', hostId, answer }),
};

/** Tells all nodes that the shop's clock was moved. */
export const announceClock = (tx: Db): Promise<void> => notify(tx, { kind: 'clock' });

/** Tells all nodes that another master key is present, or an earlier one is gone. */
export const announceMasterKey = (tx: Db): Promise<void> => notify(tx, { kind: 'masterKey' });

/** A message as it was sent. Another node may be of another version: what it says is checked like all that comes in. */
function read(channel: string, payload: string): BusMessage {
  if (channel === JOBS_CHANNEL) return { kind: 'job', queue: payload };
  const message = JSON.parse(payload) as BusMessage;
  if (message.kind === 'event') liveEvents[message.event].parse(message.payload);
  return message;
}

/**
 * Hears what all nodes publish, on a connection of its own that is opened again whenever it breaks. `onReconnect`
 * tells that messages may have been missed meanwhile.
 */
export async function listen(
  url: string,
  log: Logger,
  onMessage: (message: BusMessage) => void,
  onReconnect: () => void,
): Promise<{ stop(): void }> {
  let stopped = false;
  let client: Client | undefined;

  const connect = async (): Promise<void> => {
    const next = new Client({ connectionString: url, keepAlive: true });
    next.on('notification', ({ channel, payload }) => {
      try {
        if (payload) onMessage(read(channel, payload));
      } catch (error) {
        log.error({ err: error }, 'message of the live bus');
      }
    });
    next.on('error', () => {});
    try {
      await next.connect();
      await next.query(`listen ${CHANNEL}; listen ${JOBS_CHANNEL}`);
    } catch (error) {
      next.end().catch(() => {});
      throw error;
    }
    // Told to stop meanwhile: nobody else would end this one.
    if (stopped) return void next.end().catch(() => {});
    client = next;
    // Only of a connection that was made: each that could not be made would begin a line of tries of its own, and they
    // would take all connections of a server that comes back.
    next.once('end', () => void (stopped || retry()));
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
    /** Nobody waits for the good-bye: a database that stands still does not answer it. */
    stop() {
      stopped = true;
      client?.end().catch(() => {});
    },
  };
}
