import { createSocket } from 'node:dgram';
import type { Socket } from 'node:net';
import { createUnframer, framed } from './frames.ts';

/** A client and its server speak every five seconds, a stranger's never does. Who has vanished says no farewell. */
const IDLE_MS = 20_000;
/** A client waits no longer for its first answer either (`server-poll-timeout`). */
const ANSWER_MS = 5000;
/** Until then it sends one short packet again and again. Whoever sends more is cut off: each packet is work. */
const MAX_UNANSWERED_BYTES = 4096;
/** So much waits for a slow line; what comes then is lost, as it would be on the way of UDP. */
const MAX_QUEUED_BYTES = 256 * 1024;
const BUFFER = 2 * 1024 * 1024;

/**
 * Passes the packets of one connection to a server of this host and back. The server sees a client like any other: the relay
 * has no key, and cannot tell what it passes. It asks nobody for the address of the caller.
 * @param answered called when the server has answered: it answers nobody who does not have its key
 */
export function forwardPackets(
  outside: Socket,
  server: { address: string; port: number },
  answered: () => void,
): void {
  const inside = createSocket({ type: 'udp4', recvBufferSize: BUFFER });
  // At once and without a farewell: otherwise the kernel would remember the caller for a minute.
  const cutAfter = (ms: number) => setTimeout(() => outside.resetAndDestroy(), ms);
  const withCaller = cutAfter(IDLE_MS);
  let withServer = cutAfter(ANSWER_MS);
  /** Bytes that the caller may still send. */
  let left = MAX_UNANSWERED_BYTES;
  let corked = false;

  /** What comes in one turn leaves together. */
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
  // A server that is being started again refuses for a moment.
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
  // The server knows nobody's address by this way.
  inside.bind(0, '127.0.0.1', () => inside.connect(server.port, server.address));
}
