import { calls } from '@fixpoint/contract/calls.ts';
import type { Endpoint } from '@fixpoint/contract/endpoint.ts';
import { SOCKET_PATH } from '@fixpoint/contract/live.ts';
import { expect, test } from 'vitest';
import { usualPath } from '../call-path.ts';
import { callsModule } from './calls-plugin.ts';

test('writes path, token, reads and once of every call, and nothing else of the contract', async () => {
  const source = callsModule(calls, { SOCKET_PATH });
  const made = await import(`data:text/javascript,${encodeURIComponent(source)}`);
  for (const [module, group] of Object.entries(calls)) {
    for (const [name, call] of Object.entries<Endpoint>(group)) {
      const { path = usualPath(module, name), token, reads, once } = made.calls[module]?.[name] ?? {};
      const { path: at, ...told } = call;
      expect({ path, token, reads, once }).toEqual({
        path: at,
        token: told.token,
        reads: told.reads,
        once: told.once,
      });
      // The page sends a POST exactly when it sends a body.
      expect(call.body ? 'POST' : 'GET', call.path).toBe(call.method);
    }
  }
  expect(made.SOCKET_PATH).toBe('/soc/socket.io/');
  expect(source).not.toMatch(/zod|import/);
});
