import type { IncomingMessage } from 'node:http';
import type { Server } from 'socket.io';
import type { Clock } from '../../ports/clock.ts';

type Connection = Parameters<Parameters<Server['engine']['on']>[1]>[0];

const MINUTE_MS = 60_000;
/** Handshakes a minute whose token was not found good: guesses (S48), and who never says a word. */
const UNAUTHENTICATED_A_MINUTE = 20;
/** Open at once from one network: many people, each with a few pages. */
const OPEN_AT_ONCE = 200;
/** Packets that a connection may send in a minute, heartbeats and what we cannot read among them (S50). */
const PACKETS_A_MINUTE = 30;
/** So long may a connection take until its token was found good, in ms. The page sends it at once. */
const JOIN_MS = 5_000;

export type ConnectionLimiterDeps = {
  clock: Clock;
  /** Name of the network that a request comes from, as in the limits of calls. */
  networkOf(request: IncomingMessage): string;
  /** Factor on what one network may do; 1 in production. */
  scale: number;
};

/**
 * What one network may do at the socket's door: a handshake is on credit until its token was found good. Each node
 * counts for itself, in memory: it is the node's own connections that are guarded, and no statement is spent on who floods
 * them. A token of 128 bits is not guessed, whoever counts.
 */
export function createConnectionLimiter({ clock, networkOf, scale }: ConnectionLimiterDeps) {
  const unauthenticated = new Map<string, number>();
  const open = new Map<string, number>();
  const networks = new WeakMap<IncomingMessage, string>();
  const authenticated = new WeakSet<IncomingMessage>();
  const minuteNow = (): number => Math.floor(clock.now().getTime() / MINUTE_MS);
  let minute = minuteNow();

  const add = (counts: Map<string, number>, network: string, by: 1 | -1): void => {
    const count = (counts.get(network) ?? 0) + by;
    if (count > 0) counts.set(network, count);
    else counts.delete(network);
  };

  /** Counts the packets of a connection, and ends it without a word when they are too many. */
  const countPackets = (connection: Connection, end: () => void): void => {
    let [since, packets] = [minuteNow(), 0];
    const count = (): void => {
      const now = minuteNow();
      if (now !== since) [since, packets] = [now, 0];
      packets += 1;
      if (packets > PACKETS_A_MINUTE) end();
    };
    connection.on('packet', count);
    // Answered below the protocol, where no packet is seen.
    connection.request.websocket?.on('ping', count).on('pong', count);
  };

  return {
    /** Whether a handshake is taken; it is on credit then. */
    admitHandshake(request: IncomingMessage): boolean {
      if (minuteNow() !== minute) {
        minute = minuteNow();
        unauthenticated.clear();
      }
      const network = networkOf(request);
      if ((unauthenticated.get(network) ?? 0) >= UNAUTHENTICATED_A_MINUTE * scale) return false;
      if ((open.get(network) ?? 0) >= OPEN_AT_ONCE * scale) return false;
      add(unauthenticated, network, 1);
      networks.set(request, network);
      return true;
    },
    /** Its token was good. */
    markAuthenticated(request: IncomingMessage): void {
      if (authenticated.has(request)) return;
      authenticated.add(request);
      add(unauthenticated, networks.get(request)!, -1);
    },
    /** Looks after a connection from its handshake to its end. */
    watch(connection: Connection): void {
      const { request } = connection;
      const network = networks.get(request)!;
      // A polite good-bye would wait half a minute for an answer. What has come already is not looked at any more: thousands
      // of packets come at once.
      const end = (): void => request.websocket?.removeAllListeners('message').terminate();
      const joinTimeout = setTimeout(() => authenticated.has(request) || end(), JOIN_MS);
      add(open, network, 1);
      countPackets(connection, end);
      connection.once('close', () => {
        clearTimeout(joinTimeout);
        add(open, network, -1);
      });
    },
  };
}
