import type { IncomingMessage } from 'node:http';
import type { Server } from 'socket.io';
import type { Clock } from '../../ports/clock.ts';

type Connection = Parameters<Parameters<Server['engine']['on']>[1]>[0];

const MINUTE_MS = 60_000;
/** Handshakes a minute per network without a valid token: guesses (S48), and clients that send nothing. */
const UNAUTHENTICATED_A_MINUTE = 20;
/** Open connections per network: many people may share one, each with a few pages. */
const OPEN_AT_ONCE = 200;
/** Packets per connection and minute, including heartbeats and malformed ones (S50). */
const PACKETS_A_MINUTE = 30;
/** Time in which a connection must present a valid token. The page sends it at once. */
const JOIN_MS = 5_000;

export type ConnectionLimiterDeps = {
  clock: Clock;
  /** Pseudonym of the network of a request, as in the rate limits of calls. */
  networkOf(request: IncomingMessage): string;
  /** Factor on the limits per network; 1 in production. */
  scale: number;
};

/**
 * Limits connections to the live socket per network. A handshake counts until its token proves valid. Each node counts in
 * memory, because it guards its own connections and must not query the database for a flood.
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

  /** Counts the packets of a connection, and terminates it above the limit. */
  const countPackets = (connection: Connection, end: () => void): void => {
    let [since, packets] = [minuteNow(), 0];
    const count = (): void => {
      const now = minuteNow();
      if (now !== since) [since, packets] = [now, 0];
      packets += 1;
      if (packets > PACKETS_A_MINUTE) end();
    };
    connection.on('packet', count);
    // WebSocket pings do not appear as packets.
    connection.request.websocket?.on('ping', count).on('pong', count);
  };

  return {
    /** Whether a handshake is admitted. It counts as unauthenticated until {@link markAuthenticated}. */
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
    /** Records that the token was valid. */
    markAuthenticated(request: IncomingMessage): void {
      if (authenticated.has(request)) return;
      authenticated.add(request);
      add(unauthenticated, networks.get(request)!, -1);
    },
    /** Enforces the limits on a connection until it closes. */
    watch(connection: Connection): void {
      const { request } = connection;
      const network = networks.get(request)!;
      // Terminates without a close handshake, which would take half a minute, and drops messages that have already arrived.
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
