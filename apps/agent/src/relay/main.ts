import { chmodSync, rmSync } from 'node:fs';
import { listenForAgent } from './agent-socket.ts';
import { createListeners } from './listeners.ts';

/**
 * Relay program: forwards OpenVPN over TCP to the servers of this host, which speak UDP. Receives
 * all routes as one line on its socket and answers with those in effect. Stores nothing. Arguments:
 * its user and group id, and the path of its socket.
 */
const [id, path] = [Number(process.argv[2]), process.argv[3]!];
// Everything is loaded now; strangers' input is read without privileges.
process.setgroups!([]);
process.setgid!(id);
process.setuid!(id);

const server = listenForAgent(createListeners());
rmSync(path, { force: true });
server.listen(path, () => chmodSync(path, 0o600));
