import type { HostAnswer, HostQuestion } from '@fixpoint/contract/agent.ts';
import { type LiveEvent, type LivePayload, liveEvents } from '@fixpoint/contract/live.ts';
import { Client } from 'pg';
import type { Logger } from 'pino';
import type { Db } from '../ports/database.ts';
import type { LiveBus } from '../ports/live.ts';
import { CHANNEL, send, transaction } from './jobs/at-commit.ts';
import { JOBS_CHANNEL } from './jobs/job-database.ts';

export type BusMessage =
  | { [E in LiveEvent]: { kind: 'event'; room: string; event: E; payload: LivePayload<E> } }[LiveEvent]
  | { kind: 'disconnect'; target: string }
  | { kind: 'host'; hostId: string }
  | { kind: 'question'; hostId: string; question: HostQuestion }
  | { kind: 'answer'; hostId: string; answer: HostAnswer }
  /** A customer's call has requested a job. */
  | { kind: 'jobs' }
  /** The shop clock was advanced. */
  | { kind: 'clock' }
  /** The master key was changed. */
  | { kind: 'masterKey' }
  /** A queue has a new job. */
  | { kind: 'job'; queue: string };

const notify = (tx: Db, message: BusMessage): Promise<void> =>
  send(tx, { messages: [JSON.stringify(message)] });

export const liveBus: LiveBus = {
  transaction,
  publish: (tx, room, event, payload) => notify(tx, { kind: 'event', room, event, payload } as BusMessage),
  disconnect: (tx, target) => notify(tx, { kind: 'disconnect', target }),
  hostChanged: (tx, hostId) => notify(tx, { kind: 'host', hostId }),
  askHost: (db, hostId, question) => notify(db, { kind: 'question', hostId, question }),
  hostAnswered: (db, hostId, answer) => notify(db, { kind: 'answer', hostId, answer }),
};

/** Notifies all nodes that the shop clock was advanced. */
export const announceClock = (tx: Db): Promise<void> => notify(tx, { kind: 'clock' });

/** Notifies all nodes that the current master key has changed, or a previous one was removed. */
export const announceMasterKey = (tx: Db): Promise<void> => notify(tx, { kind: 'masterKey' });

/** Parses a message. It is validated, because another node may have another version. */
function read(channel: string, payload: string): BusMessage {
  if (channel === JOBS_CHANNEL) return { kind: 'job', queue: payload };
  const message = JSON.parse(payload) as BusMessage;
  if (message.kind === 'event') liveEvents[message.event].parse(message.payload);
  return message;
}

/**
 * Receives what all nodes publish, on its own connection, which is reopened when it breaks.
 * `onReconnect` means that messages may have been missed.
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
    // Stopped meanwhile: nobody else would close this connection.
    if (stopped) return void next.end().catch(() => {});
    client = next;
    // Only for an established connection: each failed one would start its own retries, which would
    // take all connections of a recovering server.
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
    /** Does not wait for the disconnect, because a hanging database never answers it. */
    stop() {
      stopped = true;
      client?.end().catch(() => {});
    },
  };
}
