import { chmodSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { createListeners } from './listeners.ts';
import type { Way } from './way.ts';

/**
 * Program of the relay: passes OpenVPN over TCP to the servers of this host, which speak UDP. It is told on its socket which
 * ways it shall have, all of them in a line, and answers with those that it has. It writes nothing anywhere.
 * Arguments: its user and group, and the path of its socket.
 */
const [id, path] = [Number(process.argv[2]), process.argv[3]!];
// All of it is loaded now; what strangers send is read without any right.
process.setgroups!([]);
process.setgid!(id);
process.setuid!(id);

const listeners = createListeners();
/** One at a time: two would open one port. */
let last: Promise<unknown> = Promise.resolve();
const server = createServer(agent => {
  agent.on('error', () => undefined);
  createInterface({ input: agent }).on('line', line => {
    last = last
      .then(() => listeners(JSON.parse(line) as Way[]))
      .then(ways => agent.write(`${JSON.stringify(ways)}\n`));
  });
});
rmSync(path, { force: true });
server.listen(path, () => chmodSync(path, 0o600));
