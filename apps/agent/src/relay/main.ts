import { chmodSync, rmSync } from 'node:fs';
import { listenForAgent } from './agent-socket.ts';
import { createListeners } from './listeners.ts';

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

const server = listenForAgent(createListeners());
rmSync(path, { force: true });
server.listen(path, () => chmodSync(path, 0o600));
