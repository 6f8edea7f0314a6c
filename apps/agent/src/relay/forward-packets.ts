import { createSocket } from 'node:dgram';
import type { Socket } from 'node:net';
import { createUnframer, framed } from './frames.ts';

/**
 * Client and server send every five seconds; strangers send nothing. A vanished client sends no
 * notice.
 */
const IDLE_MS = 20_000;
/** The client's own timeout for its first answer (`server-poll-timeout`). */
const ANSWER_MS = 5000;
/**
 * Until then a client repeats one short packet. A caller that sends more is disconnected: each
 * packet costs work.
 */
const MAX_UNANSWERED_BYTES = 4096;
/** Queue limit for a slow line. Further packets are dropped, as with UDP. */
const MAX_QUEUED_BYTES = 256 * 1024;
const BUFFER = 2 * 1024 * 1024;

/**
 * Forwards packets between a connection and a server of this host. The server sees an ordinary
 * client; the relay has no key and cannot read the packets. It never reads the caller's address.
 * @param answered called when the server has answered, which it does only for holders of its key
 */
export function forwardPackets(
  outside: Socket,
  server: { address: string; port: number },
  answered: () => void,
): void {
  const inside = createSocket({ type: 'udp4', recvBufferSize: BUFFER });
  // Resets the connection: after a regular close the kernel would remember the caller for a minute.
  const cutAfter = (ms: number) => setTimeout(() => outside.resetAndDestroy(), ms);
  const withCaller = cutAfter(IDLE_MS);
  let withServer = cutAfter(ANSWER_MS);
  /** Bytes that the caller may still send. */
  let left = MAX_UNANSWERED_BYTES;
  let corked = false;

  /** Sends everything of one event loop turn together. */
  function cork(): void {
    if (corked) return;
    corked = true;
    outside.cork();
    setImmediate(() => {
      corked = false;
      outside.uncork();
    });
  }

  outside.on('error', () => undefined);
  outside.once('close', () => {
    clearTimeout(withCaller);
    clearTimeout(withServer);
    inside.close();
  });
  // A restarting server refuses for a moment.
  inside.on('error', () => undefined);
  inside.once('message', () => {
    left = Number.POSITIVE_INFINITY;
    clearTimeout(withServer);
    withServer = cutAfter(IDLE_MS);
    answered();
  });
  inside.on('message', packet => {
    withServer.refresh();
    if (outside.writableLength > MAX_QUEUED_BYTES) return;
    cork();
    outside.write(framed(packet));
  });
  inside.once('connect', () => {
    const unframe = createUnframer();
    outside.on('data', piece => {
      withCaller.refresh();
      left -= piece.length;
      if (left < 0) return void outside.resetAndDestroy();
      try {
        for (const packet of unframe(piece)) inside.send(packet);
      } catch {
        outside.resetAndDestroy();
      }
    });
  });
  // The server sees a loopback address.
  inside.bind(0, '127.0.0.1', () => inside.connect(server.port, server.address));
}
