import { SOCKET_PATH } from '@fixpoint/contract/live.ts';
import { parseMetadata, socketToken } from '@fixpoint/contract/metadata.ts';
import { io } from 'socket.io-client';

/** Opens the live socket of an order and asks at each connect, as its page does. */
export async function openPage(url: string, metadata: string) {
  const { reference, check } = parseMetadata(metadata)!;
  const socket = io(url, {
    path: SOCKET_PATH,
    query: { token: socketToken(reference) },
    transports: ['websocket'],
    reconnectionDelay: 500,
    forceNew: true,
  });
  const page = { socket, drops: 0, isPaid: false };
  socket.on('connect', () => socket.emit('orderCheck', check));
  socket.on('disconnect', () => {
    page.drops += 1;
  });
  socket.on('orderCheck', (answer: string) => {
    page.isPaid ||= answer === 'success';
  });
  socket.on('STATUS', ({ status }: { status: string }) => {
    page.isPaid ||= ['paid', 'fulfilled'].includes(status);
  });
  await new Promise<void>(connected => socket.once('connect', connected));
  return page;
}
