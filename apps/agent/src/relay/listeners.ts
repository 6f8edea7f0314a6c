import { createServer, type Server, type Socket } from 'node:net';
import { forwardPackets } from './forward-packets.ts';
import { type RelayRoute, routeName } from './route.ts';

/** Concurrent connections per subscription, like the server's client limit. */
const MAX_CONNECTIONS = 64;
/**
 * Unanswered connections of all subscriptions together: each costs memory and is unauthenticated.
 */
const MAX_UNANSWERED = 1000;

type Listener = { server: Server; callers: Set<Socket> };

/** Unanswered connections of all routes, oldest first. */
type Strangers = { all: Set<Socket>; most: number };

/** Disconnects the oldest stranger of these callers. @returns whether there was one */
function makeRoom(callers: Set<Socket>, { all }: Strangers): boolean {
  const oldest = [...callers].find(caller => all.has(caller));
  if (!oldest) return false;
  // Immediately: its close event may come after the next caller.
  callers.delete(oldest);
  all.delete(oldest);
  oldest.resetAndDestroy();
  return true;
}

async function listen({ address, tcpPort, udpPort }: RelayRoute, strangers: Strangers): Promise<Listener> {
  const callers = new Set<Socket>();
  const server = createServer({ noDelay: true }, caller => {
    // Not `maxConnections`: with that Node reads the address of a rejected caller. The newcomer is
    // accepted, because otherwise a caller who fills the limit would keep everybody out.
    if (callers.size >= MAX_CONNECTIONS && !makeRoom(callers, strangers))
      return void caller.resetAndDestroy();
    if (strangers.all.size >= strangers.most) makeRoom(strangers.all, strangers);
    callers.add(caller);
    strangers.all.add(caller);
    caller.once('close', () => {
      callers.delete(caller);
      strangers.all.delete(caller);
    });
    forwardPackets(caller, { address, port: udpPort }, () => strangers.all.delete(caller));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(tcpPort, address, resolve);
  });
  // An error while accepting concerns one caller only.
  server.on('error', () => undefined);
  return { server, callers };
}

function end({ server, callers }: Listener): void {
  server.close();
  for (const caller of callers) caller.resetAndDestroy();
}

/** Creates the relay's listeners. @returns sets the routes and answers with those in effect */
export function createListeners(
  maxUnanswered = MAX_UNANSWERED,
): (routes: readonly RelayRoute[]) => Promise<string[]> {
  const open = new Map<string, Listener>();
  const strangers = { all: new Set<Socket>(), most: maxUnanswered };
  return async routes => {
    const wanted = new Map(routes.map(route => [routeName(route), route]));
    for (const [name, listener] of open)
      if (!wanted.has(name)) {
        open.delete(name);
        end(listener);
      }
    await Promise.all(
      [...wanted].map(async ([name, route]) => {
        // A failed route is missing from the answer: the address is absent or the port is taken.
        const listener = open.get(name) ?? (await listen(route, strangers).catch(() => undefined));
        if (listener) open.set(name, listener);
      }),
    );
    return [...open.keys()];
  };
}
