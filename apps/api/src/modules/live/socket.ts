import type { Server as HttpServer } from 'node:http';
import {
  type ClientEvents,
  type LiveEvent,
  type LivePayload,
  type ServerEvents,
  SOCKET_PATH,
} from '@fixpoint/contract/live.ts';
import { isOver, orderCheckAnswer } from '@fixpoint/domain/order/order.ts';
import type { Logger } from 'pino';
import { Server } from 'socket.io';
import { tokenHash } from '../../crypto/secrets.ts';
import type { SessionRef } from '../../kernel/caller.ts';
import type { Db } from '../../ports/database.ts';
import { memberRoom } from '../../ports/live.ts';
import { orderOfToken } from '../checkout/index.ts';
import { usersWithPart } from '../subscription/index.ts';
import { type ConnectionLimiterDeps, createConnectionLimiter } from './connection-limiter.ts';

/** `until`: when the socket is disconnected, so that the client must present its token again. */
type SocketData = { until: Date; orderId?: string; checkHash?: Buffer };

/** Event for the sockets of a room. */
type LiveMessage<E extends LiveEvent> = { room: string; event: E; payload: LivePayload<E> };

/** Room of all members of a customer, which gets no event. */
const membersRoom = (customerId: string): string => `members:${customerId}`;

/** Rooms of a session's customer: a member gets events of their own only. */
const roomsOf = ({ role, ...of }: SessionRef): string[] =>
  role === 'member' ? [membersRoom(of.customerId), memberRoom(of)] : [`customer:${of.customerId}`];

/** Open sockets per token (S50). */
const SOCKETS_A_TOKEN = 3;
/** Lifetime of an order's socket, longer than an order usually waits for its payment. Clients reconnect after it. */
const ORDER_MS = 2 * 24 * 60 * 60_000;

/**
 * Live socket. `?token=` is an order token or an access token; all else is refused alike. Supports WebSockets only, because
 * long polling would need sticky sessions.
 */
export function createLiveSocket(
  http: HttpServer,
  deps: ConnectionLimiterDeps & {
    db: Db;
    log: Logger;
    origins: ReadonlySet<string>;
    sessionOf(accessToken: string): Promise<SessionRef | undefined>;
  },
) {
  const { db, log, origins, clock } = deps;
  const limiter = createConnectionLimiter(deps);
  const io = new Server<ClientEvents, ServerEvents, Record<string, never>, SocketData>(http, {
    path: SOCKET_PATH,
    transports: ['websocket'],
    serveClient: false,
    maxHttpBufferSize: 8 * 1024,
    perMessageDeflate: false,
    // CORS does not guard websockets: the handshake's Origin is checked here (S49).
    allowRequest: (request, allow) => {
      const { origin } = request.headers;
      allow(null, (!origin || origins.has(origin)) && limiter.admitHandshake(request));
    },
  });
  // A transport upgrade would bypass `allowRequest`, and only long polling needs one.
  io.engine.use((request: { _query: { sid?: string } }, _response: unknown, next: (error?: Error) => void) =>
    next(request._query.sid === undefined ? undefined : new Error('no second connection')),
  );
  io.engine.on('connection', limiter.watch);

  /** Rooms of a token. */
  const admit = async (token: string): Promise<{ rooms: string[]; data: SocketData } | undefined> => {
    if (/^[0-9a-f]{32}$/.test(token)) {
      const order = await orderOfToken(db, token);
      if (!order || isOver(order.status)) return undefined;
      const until = new Date(clock.now().getTime() + ORDER_MS);
      return {
        rooms: [`order:${order.id}`],
        data: { until, orderId: order.id, checkHash: order.check_hash },
      };
    }
    const session = await deps.sessionOf(token);
    return (
      session && {
        rooms: [...roomsOf(session), `user:${session.userId}`, `session:${session.sessionId}`],
        data: { until: session.endsAt },
      }
    );
  };

  io.use(async (socket, next) => {
    const { token } = socket.handshake.query;
    const admitted = typeof token === 'string' ? await admit(token).catch(() => undefined) : undefined;
    const crowd = admitted && io.sockets.adapter.rooms.get(admitted.rooms.at(-1)!);
    if (!admitted || (crowd && crowd.size >= SOCKETS_A_TOKEN)) return next(new Error('8003'));
    socket.data = admitted.data;
    await socket.join([...admitted.rooms, 'everyone']);
    // Checked again: an order or session that ended before the join found no socket to disconnect.
    if (!(await admit(token as string).catch(() => undefined))) return next(new Error('8003'));
    limiter.markAuthenticated(socket.request);
    next();
  });

  io.on('connection', socket => {
    // No event reports an expired session, so heartbeats (every half a minute) check it.
    socket.conn.on('packet', () => {
      if (socket.data.until <= clock.now()) socket.disconnect(true);
    });
    socket.on('orderCheck', async check => {
      const { orderId, checkHash } = socket.data;
      if (!orderId || !checkHash || typeof check !== 'string' || !tokenHash(check).equals(checkHash)) {
        socket.emit('orderCheck', 'fail');
        return;
      }
      try {
        const order = await db
          .selectFrom('shop_order')
          .select('status')
          .where('id', '=', orderId)
          .executeTakeFirstOrThrow();
        socket.emit('orderCheck', orderCheckAnswer(order.status));
      } catch (error) {
        // The page retries in five seconds.
        log.warn({ err: error }, 'order check');
      }
    });
  });

  const send = <E extends LiveEvent>({ room, event, payload }: LiveMessage<E>): void =>
    void io.to(room).emit(event, ...([payload] as Parameters<ServerEvents[E]>));

  /** Sends an event about a subscription to the members who have a part in it, if any member is connected here. */
  async function tellMembers(customerId: string, payload: LivePayload<'SUBSCRIPTION'>): Promise<void> {
    if (!io.sockets.adapter.rooms.has(membersRoom(customerId))) return;
    for (const userId of await usersWithPart(db, customerId, payload.id))
      send({ room: memberRoom({ customerId, userId }), event: 'SUBSCRIPTION', payload });
  }

  return {
    /** Sends an event of the bus to the sockets of this node. */
    emit<E extends LiveEvent>(message: LiveMessage<E>): void {
      send(message);
      const { room, event, payload } = message;
      if (event !== 'SUBSCRIPTION' || !room.startsWith('customer:')) return;
      const told = tellMembers(room.slice('customer:'.length), payload as LivePayload<'SUBSCRIPTION'>);
      // Their page asks again when it is opened.
      told.catch(error => log.warn({ err: error }, 'event for members'));
    },
    disconnect: (target: string): void =>
      io.in([target, target.replace(/^customer:/, 'members:')]).disconnectSockets(true),
    disconnectAll: (): void => io.disconnectSockets(true),
    /** Closes all sockets. The caller owns and closes the HTTP server. */
    close: (): void => void io.engine.close(),
  };
}
