import { calls } from '@fixpoint/contract/calls.ts';
import { expect, test } from 'vitest';
import { callsModule } from './calls-plugin.ts';

test('names every call of the contract and carries nothing else of it', async () => {
  const source = callsModule();
  const made = await import(`data:text/javascript,${encodeURIComponent(source)}`);
  for (const [module, group] of Object.entries(calls)) {
    for (const [name, call] of Object.entries(group)) {
      expect(made.calls[module][name].slice(0, 2)).toEqual([call.method, call.path]);
    }
  }
  expect(made.calls.auth.login[2]).toBe(true);
  expect(made.SOCKET_PATH).toBe('/soc/socket.io/');
  expect(source).not.toMatch(/zod|import/);
});
