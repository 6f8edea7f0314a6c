import type { HostAnswer, HostQuestion } from '@fixpoint/contract/agent.ts';
import type { LiveEvent, LivePayload } from '@fixpoint/contract/live.ts';
import type { Db } from './database.ts';

/**
 * Audience of a live event: the page of an order, all pages of a customer's owners and buyers, those of a member, or every
 * connected page. Members also get `SUBSCRIPTION` events of their customer about what they have a part in.
 */
export type Room = `order:${string}` | `customer:${string}` | `member:${string}` | 'everyone';

/** Room of the pages of one member of a customer. */
export const memberRoom = ({ customerId, userId }: { customerId: string; userId: string }): Room =>
  `member:${customerId} ${userId}`;

/**
 * Live events leave with the transaction that caused them (PostgreSQL NOTIFY) and reach every API
 * node. Disconnected pages miss them and query again when they connect. Payloads carry states and
 * ids only (S52).
 */
export type LiveBus = {
  /**
   * Runs `work` in a transaction and writes all its live events and jobs in one statement at its
   * end.
   */
  transaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T>;
  publish<E extends LiveEvent>(tx: Db, room: Room, event: E, payload: LivePayload<E>): Promise<void>;
  /**
   * Disconnects all sockets of a customer (ended), a user (password changed), a session (logged out) or a finished
   * order.
   */
  disconnect(
    tx: Db,
    target: `customer:${string}` | `user:${string}` | `session:${string}` | `order:${string}`,
  ): Promise<void>;
  /** Answers the long poll of a VPN host. */
  hostChanged(tx: Db, hostId: string): Promise<void>;
  /**
   * Sends a question to the node with the host's long poll, and the answer back to the node that
   * asked.
   */
  askHost(db: Db, hostId: string, question: HostQuestion): Promise<void>;
  hostAnswered(db: Db, hostId: string, answer: HostAnswer): Promise<void>;
};
