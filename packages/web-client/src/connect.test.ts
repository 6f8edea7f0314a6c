import { endpoint } from '@fixpoint/contract/endpoint.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { callsModule } from './build/calls-plugin.ts';
import type { CallTable } from './client.ts';
import { connect } from './connect.ts';

/** Contract of an app other than the shop. */
const calls = {
  team: {
    find: endpoint({
      method: 'GET',
      path: '/staff/v1/team/:id',
      auth: 'customer',
      summary: 'Finds a member.',
      params: z.object({ id: z.string() }),
      data: z.object({ name: z.string() }),
    }),
  },
};

const stored = new Map<string, string>();
const fetch = vi.fn<typeof globalThis.fetch>();
const answer = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status });

async function anApp(sessionPrefix: string) {
  const source = `data:text/javascript,${encodeURIComponent(callsModule(calls, {}))}`;
  const table = (await import(source)) as { calls: CallTable };
  return connect<typeof calls>({
    calls: table.calls,
    apiUrl: () => 'https://staff.example',
    languageTag: () => 'en',
    refreshPath: '/staff/v1/session/refresh',
    solveHumanCheck: async () => 'proof',
    sessionPrefix,
    fetch,
  });
}

beforeEach(() => {
  stored.clear();
  fetch.mockReset();
  vi.stubGlobal('window', {
    addEventListener: vi.fn(),
    localStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
      removeItem: (key: string) => stored.delete(key),
    },
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

test('an app has its own calls and refreshes its session by its own call', async () => {
  const { api, session } = await anApp('staff.');
  session.begin({ accessToken: 'old', refreshToken: 'r1' });
  fetch
    .mockResolvedValueOnce(answer({ code: '8001' }, 401))
    .mockResolvedValueOnce(answer({ code: '0000', data: { accessToken: 'new', refreshToken: 'r2' } }))
    .mockResolvedValueOnce(answer({ code: '0000', data: { name: 'Anna' } }));
  expect(await api.team.find({ params: { id: '7' } })).toEqual({ name: 'Anna' });
  expect(fetch.mock.calls.map(([url]) => url)).toEqual([
    'https://staff.example/staff/v1/team/7',
    'https://staff.example/staff/v1/session/refresh',
    'https://staff.example/staff/v1/team/7',
  ]);
  expect(session.token.get()).toBe('new');
});

test('two apps of one origin have separate sessions', async () => {
  const [shop, staff] = [await anApp(''), await anApp('staff.')];
  shop.session.begin({ accessToken: 'customer', refreshToken: '' });
  staff.session.begin({ accessToken: 'colleague', refreshToken: '' });
  expect(stored.get('token')).toBe('customer');
  staff.session.end();
  expect(shop.session.token.get()).toBe('customer');
  expect([...stored.keys()].sort()).toEqual(['refreshToken', 'token']);
});
