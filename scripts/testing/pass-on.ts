import {
  type IncomingMessage,
  type RequestOptions,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import { exitWithParent } from '@fixpoint/contract/supervised.ts';

/** Passes calls on to a shop, as its reverse proxy does, with the caller's address. @param to where the shop listens */
export const passOn = (to: RequestOptions) => (call: IncomingMessage, answer: ServerResponse) => {
  const headers = { ...call.headers, 'x-forwarded-for': call.socket.remoteAddress };
  const passed = request({ ...to, method: call.method, path: call.url, headers }, said => {
    answer.writeHead(said.statusCode!, said.headers);
    said.pipe(answer);
  });
  passed.once('error', () => answer.destroy());
  answer.once('close', () => passed.destroy());
  call.pipe(passed);
};

/** Serves until the process that started this one ends, and tells it when calls are accepted. */
export function serveParent(
  front: Pick<Server, 'close' | 'closeAllConnections' | 'listen'>,
  port: number,
  address: string,
) {
  exitWithParent(async () => {
    front.close();
    front.closeAllConnections();
  });
  front.listen(port, address, () => process.send?.('ready'));
}
