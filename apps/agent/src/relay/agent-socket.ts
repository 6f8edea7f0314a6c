import { createServer, type Server } from 'node:net';
import { createInterface } from 'node:readline';
import type { RelayRoute } from './route.ts';

/**
 * Listens to the agent: all ways that there shall be, in a line, answered by those that there are. An agent that dies in the
 * middle of it is nothing to the relay.
 * @param setRoutes makes them so
 */
export function listenForAgent(setRoutes: (routes: readonly RelayRoute[]) => Promise<string[]>): Server {
  /** One at a time: two would open one port. */
  let last: Promise<unknown> = Promise.resolve();
  return createServer(agent => {
    agent.on('error', () => undefined);
    const lines = createInterface({ input: agent });
    // It tells the connection's errors once more.
    lines.on('error', () => undefined);
    lines.on('line', line => {
      last = last
        .then(() => setRoutes(JSON.parse(line) as RelayRoute[]))
        .then(routes => agent.write(`${JSON.stringify(routes)}\n`));
    });
  });
}
