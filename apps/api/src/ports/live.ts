import type { HostAnswer, HostQuestion } from '@fixpoint/contract/agent.ts';
import type { LiveEvent, LivePayload } from '@fixpoint/contract/live.ts';
import type { Db } from './database.ts';

/** Who hears a live event: the page of one order, all pages of one customer, or every page with a connection. */
export type Room = `order:${string}` | `customer:${string}` | 'everyone';

/**
 * Live events leave with the transaction that caused them (PostgreSQL NOTIFY), reach every API node and are lost for
 * a page that is not connected: pages ask again when they connect. Payloads carry states and ids only (S52).
 */
export type LiveBus = {
  /** Runs `work` in a transaction and sends all live events that it publishes in one statement, at its end. */
  transaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T>;
  publish<E extends LiveEvent>(tx: Db, room: Room, event: E, payload: LivePayload<E>): Promise<void>;
  /** Cuts all sockets of a customer (password changed), of one session (logged out) or of an order that is over. */
  disconnect(tx: Db, target: `customer:${string}` | `session:${string}` | `order:${string}`): Promise<void>;
  /** Wakes the long poll of a VPN host. */
  hostChanged(tx: Db, hostId: string): Promise<void>;
  /** A question to a VPN host, for whichever node holds its long poll; and its answer, for the node that asked. */
  askHost(db: Db, hostId: string, question: HostQuestion): Promise<void>;
  hostAnswered(db: Db, hostId: string, answer: HostAnswer): Promise<void>;
};
