import { SOCKET_PATH } from 'virtual:calls';
import type { ClientEvents, ServerEvents } from '@fixpoint/contract/live.ts';
import { loadPart } from '@fixpoint/ui/lib/chunk.ts';
import type { Socket } from 'socket.io-client';
import { config } from './config.ts';
import { hearStatus } from './shop-status.ts';

export type LiveHandlers = Partial<ServerEvents> & {
  connect?: () => void;
  disconnect?: (reason?: string) => void;
};
export type Live = { orderCheck(check: string): void; close(): void };

const PING_MS = 25_000;
/**
 * Pause between reconnects, ms. Doubles each time, so that clients dropped together do not return
 * together.
 */
const RECONNECT_MS = 5_000;
const RECONNECT_MAX_MS = 80_000;

/**
 * Opens the live connection. Loads its library on first use and reconnects by itself.
 * @param token of an order, or the access token; called at each (re)connect, undefined closes the
 * connection
 */
export function openLive(token: () => string | undefined, handlers: LiveHandlers): Live {
  let socket: Socket<ServerEvents, ClientEvents> | undefined;
  let closed = false;
  let pause = RECONNECT_MS;
  let ping: ReturnType<typeof setInterval> | undefined;

  async function open() {
    const { io } = await loadPart(() => import('socket.io-client'));
    const first = token();
    if (closed || first === undefined) return;
    const query = { token: first };
    const opened = io(config().SOCKET_URL || window.location.origin, {
      path: SOCKET_PATH,
      query,
      transports: ['websocket'],
    });
    socket = opened;
    const renewToken = () => {
      const next = token();
      if (next === undefined) close();
      else query.token = next;
    };
    opened.io.on('reconnect_attempt', renewToken);
    // The library does not reconnect after a refusal by the server; a newer token may be accepted.
    const tryLater = () => {
      if (opened.active || closed) return;
      setTimeout(
        () => {
          if (!closed) renewToken();
          if (!closed) opened.connect();
        },
        pause * (1 + Math.random() / 2),
      );
      pause = Math.min(pause * 2, RECONNECT_MAX_MS);
    };
    opened.on('connect', () => {
      pause = RECONNECT_MS;
    });
    opened.on('connect_error', tryLater);
    opened.on('disconnect', tryLater);
    opened.on('MAINTENANCE', hearStatus);
    for (const [event, handler] of Object.entries(handlers)) opened.on(event as keyof ServerEvents, handler);
    ping = setInterval(() => opened.connected && opened.emit('ping'), PING_MS);
  }
  // Everything also works over HTTP, so a missing live connection is no error.
  open().catch(() => handlers.disconnect?.());

  function close() {
    closed = true;
    clearInterval(ping);
    socket?.disconnect();
  }
  return { orderCheck: check => socket?.emit('orderCheck', check), close };
}
