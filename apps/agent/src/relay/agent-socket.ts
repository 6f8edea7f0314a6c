import { createServer, type Server } from 'node:net';
import { createInterface } from 'node:readline';
import type { RelayRoute } from './route.ts';

/**
 * Serves the agent: receives all wanted routes in a line and answers with those in effect.
 * Tolerates an agent that dies in between.
 * @param setRoutes applies them
 */
export function listenForAgent(setRoutes: (routes: readonly RelayRoute[]) => Promise<string[]>): Server {
  /** Serialized: two updates would open the same port. */
  let last: Promise<unknown> = Promise.resolve();
  return createServer(agent => {
    agent.on('error', () => undefined);
    const lines = createInterface({ input: agent });
    // The line reader emits the connection's errors once more.
    lines.on('error', () => undefined);
    lines.on('line', line => {
      last = last
        .then(() => setRoutes(JSON.parse(line) as RelayRoute[]))
        .then(routes => agent.write(`${JSON.stringify(routes)}\n`));
    });
  });
}
