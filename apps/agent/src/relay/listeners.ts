import { createServer, type Server, type Socket } from 'node:net';
import { forwardPackets } from './forward-packets.ts';
import { type RelayRoute, routeName } from './route.ts';

/** Connections of one subscription at a time: as many as its server takes clients. */
const MAX_CONNECTIONS = 64;
/** Of all subscriptions together that no server has answered: each takes memory, and none has shown that it may. */
const MAX_UNANSWERED = 1000;

type Listener = { server: Server; callers: Set<Socket> };

/** Callers of all ways that no server has answered yet, the oldest first. */
type Strangers = { all: Set<Socket>; most: number };

/** Cuts the oldest stranger of these callers. @returns whether there was one */
function makeRoom(callers: Set<Socket>, { all }: Strangers): boolean {
  const oldest = [...callers].find(caller => all.has(caller));
  if (!oldest) return false;
  // Now: it closes later than the next one may come.
  callers.delete(oldest);
  all.delete(oldest);
  oldest.resetAndDestroy();
  return true;
}

async function listen({ address, tcpPort, udpPort }: RelayRoute, strangers: Strangers): Promise<Listener> {
  const callers = new Set<Socket>();
  const server = createServer({ noDelay: true }, caller => {
    // Not by `maxConnections`: with that Node reads the address of whom it turns away. The newcomer is let in, for who
    // fills the room would keep everybody out otherwise.
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
  // A fault while accepting is one caller's.
  server.on('error', () => undefined);
  return { server, callers };
}

function end({ server, callers }: Listener): void {
  server.close();
  for (const caller of callers) caller.resetAndDestroy();
}

/** Where the relay listens. @returns to be told all ways that it shall have; answers with those that it has then */
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
        // What is refused is missing from the answer: an address that is not there, a port that is taken.
        const listener = open.get(name) ?? (await listen(route, strangers).catch(() => undefined));
        if (listener) open.set(name, listener);
      }),
    );
    return [...open.keys()];
  };
}
