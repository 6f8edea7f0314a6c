import { SOCKET_PATH } from 'virtual:calls';
import type { ClientEvents, ServerEvents } from '@fixpoint/contract/live.ts';
import { loadPart } from '@fixpoint/ui/lib/chunk.ts';
import type { Socket } from 'socket.io-client';
import { config } from './config.ts';
import { queryClient } from './query.ts';
import { MAINTENANCE_KEY } from './shop-state.ts';

export type LiveHandlers = Partial<ServerEvents> & {
  connect?: () => void;
  disconnect?: (reason?: string) => void;
};
export type Live = { orderCheck(check: string): void; close(): void };

const PING_MS = 25_000;
/** From one try to the next, in ms, ever longer: all who were sent away at once must not come back at once, or for ever. */
const AGAIN_MS = 5_000;
const AGAIN_AT_MOST_MS = 80_000;

/**
 * The live connection: brought when first used, opened again by itself when it drops.
 * @param token of an order, or the access token; asked for again each time the connection is opened, which ends when there
 * is none any more
 */
export function openLive(token: () => string | undefined, handlers: LiveHandlers): Live {
  let socket: Socket<ServerEvents, ClientEvents> | undefined;
  let closed = false;
  let pause = AGAIN_MS;
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
    // Refused or sent away by the server, the library gives up; the next token may be welcome.
    const tryLater = () => {
      if (opened.active || closed) return;
      setTimeout(
        () => {
          if (!closed) renewToken();
          if (!closed) opened.connect();
        },
        pause * (1 + Math.random() / 2),
      );
      pause = Math.min(pause * 2, AGAIN_AT_MOST_MS);
    };
    opened.on('connect', () => {
      pause = AGAIN_MS;
    });
    opened.on('connect_error', tryLater);
    opened.on('disconnect', tryLater);
    opened.on('MAINTENANCE', async status => {
      // An answer that is on its way is older than this.
      await queryClient.cancelQueries({ queryKey: MAINTENANCE_KEY });
      queryClient.setQueryData(MAINTENANCE_KEY, status);
    });
    for (const [event, handler] of Object.entries(handlers)) opened.on(event as keyof ServerEvents, handler);
    ping = setInterval(() => opened.connected && opened.emit('ping'), PING_MS);
  }
  // Without a live connection everything still works over HTTP, so its absence is no error.
  open().catch(() => handlers.disconnect?.());

  function close() {
    closed = true;
    clearInterval(ping);
    socket?.disconnect();
  }
  return { orderCheck: check => socket?.emit('orderCheck', check), close };
}
