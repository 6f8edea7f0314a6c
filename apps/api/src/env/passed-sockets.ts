import { givenSettings } from './env.ts';

/** The first file descriptor that systemd passes (sd_listen_fds). */
const FIRST = 3;

/** Listening sockets that systemd passed to a process, by their FileDescriptorName. */
export function passedSockets(source: NodeJS.ProcessEnv, pid: number): Map<string, number> {
  const { LISTEN_PID, LISTEN_FDS, LISTEN_FDNAMES = '' } = source;
  // A process inherits the variables of its parent, whose sockets it does not have.
  if (Number(LISTEN_PID) !== pid) return new Map();
  const names = LISTEN_FDNAMES.split(':').slice(0, Number(LISTEN_FDS));
  return new Map(names.map((name, index) => [name, FIRST + index]));
}

/**
 * A listening socket that systemd passed to this process; undefined without one. It stays open while the shop restarts, so
 * callers wait and none is refused.
 */
export const passedSocket = (name: 'http' | 'agents'): number | undefined =>
  passedSockets(givenSettings(), process.pid).get(name);
