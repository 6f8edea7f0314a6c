import { calls } from '@fixpoint/contract/calls.ts';
import type { Endpoint } from '@fixpoint/contract/endpoint.ts';
import { SOCKET_PATH } from '@fixpoint/contract/live.ts';
import { expect, test } from 'vitest';
import { usualPath } from '../call-path.ts';
import { callsModule } from './calls-plugin.ts';

test('writes path, token, reads and once of every call, and nothing else of the contract', async () => {
  const source = callsModule(calls, { SOCKET_PATH });
  const generated = await import(`data:text/javascript,${encodeURIComponent(source)}`);
  for (const [module, group] of Object.entries(calls)) {
    for (const [name, call] of Object.entries<Endpoint>(group)) {
      const { path = usualPath(module, name), token, reads, once } = generated.calls[module]?.[name] ?? {};
      const { path: at, ...expected } = call;
      expect({ path, token, reads, once }).toEqual({
        path: at,
        token: expected.token,
        reads: expected.reads,
        once: expected.once,
      });
      // The page sends a POST exactly when it sends a body.
      expect(call.body ? 'POST' : 'GET', call.path).toBe(call.method);
    }
  }
  expect(generated.SOCKET_PATH).toBe('/soc/socket.io/');
  expect(source).not.toMatch(/zod|import/);
});
