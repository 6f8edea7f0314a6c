import type { FastifyInstance, FastifyListenOptions } from 'fastify';
import { OperatorFault } from '../kernel/operator-fault.ts';

/** Names of the settings that say where a server listens. */
type Settings = { port: string; host: string };

/**
 * Opens a port, or takes over a socket that is open already. @throws OperatorFault that names the setting and the remedy, where the
 *   machine refuses it
 * @param fd file descriptor of that socket
 */
export async function listenOn(
  app: FastifyInstance,
  { port, host }: { port: number; host: string },
  settings: Settings,
  fd?: number,
): Promise<void> {
  try {
    // Without a host, Fastify would look for a second address of localhost.
    await app.listen(fd === undefined ? { port, host } : ({ fd, host } as FastifyListenOptions));
  } catch (error) {
    throw new OperatorFault(refusalOf(error as NodeJS.ErrnoException, { port, host }, settings), {
      cause: error,
    });
  }
}

function refusalOf(
  { code, message }: NodeJS.ErrnoException,
  { port, host }: { port: number; host: string },
  settings: Settings,
): string {
  const other = port === 65_535 ? port - 1 : port + 1;
  if (code === 'EADDRINUSE')
    return `${settings.port}: port ${port} is in use by another program, or by another setting of the shop. This names the program, as root: ss -ltnp 'sport = :${port}'. Stop it, or choose another port. Example: ${settings.port}=${other}`;
  if (code === 'EACCES')
    return `${settings.port}: this user may not open port ${port}, because ports below 1024 are for root. Example: ${settings.port}=8443`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `${settings.host}: ${host} is not an address of this machine. ip address lists those that it has. Example: ${settings.host}=127.0.0.1`;
  return `${settings.port}: cannot listen on ${host}, port ${port}: ${message}`;
}
