import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { RelayRoute } from '../../relay/route.ts';
import { afterTimeout } from '../timeout.ts';

/** A relay that does not answer within this time is treated as gone. */
const TIMEOUT_MS = 5000;

const answer = z.array(z.string());

/** Connection to the relay; its end is the earliest sign that the relay has ended. */
export type RelayConnection = {
  /** Sets the routes. @returns the routes in effect @throws Error when the relay does not answer */
  sendRoutes(routes: readonly RelayRoute[]): Promise<string[]>;
  /** Settles when the connection, and so the relay, has ended. */
  closed: Promise<void>;
};

/** @throws Error when nothing listens at the path */
export async function connectRelay(path: string): Promise<RelayConnection> {
  const socket = connect({ path });
  const closed = new Promise<void>(done => socket.once('close', () => done()));
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  const answers = createInterface({ input: socket });
  // Errors also close the connection, which `closed` reports. Both streams emit them, and an
  // unhandled one would end the agent.
  for (const stream of [socket, answers]) stream.on('error', () => undefined);
  return {
    closed,
    async sendRoutes(routes) {
      const cancelTimeout = afterTimeout(TIMEOUT_MS, () => socket.destroy());
      const answered = new Promise<string>(resolve => answers.once('line', resolve));
      socket.write(`${JSON.stringify(routes)}\n`);
      const line = await Promise.race([answered, closed]);
      cancelTimeout();
      if (line === undefined) throw new Error('the relay has ended');
      return answer.parse(JSON.parse(line));
    },
  };
}
