import { calls, type ShopCalls } from '@fixpoint/contract/calls.ts';
import type { DataOf, Endpoint, Sent } from '@fixpoint/contract/endpoint.ts';
import type { Envelope } from '@fixpoint/contract/envelope.ts';
import { noteCall } from './leaks/secrets.ts';

/** An answer with its HTTP status: tests check refusals as often as data. */
export type Answer<D> = Envelope<D> & { status: number; headers: Headers };

export type TestClient = {
  [M in keyof ShopCalls]: {
    [N in keyof ShopCalls[M]]: ShopCalls[M][N] extends Endpoint
      ? (
          input?: Partial<Sent<ShopCalls[M][N]>>,
          headers?: Record<string, string>,
        ) => Promise<Answer<DataOf<ShopCalls[M][N]>>>
      : never;
  };
};

type Input = { body?: unknown; query?: Record<string, unknown>; params?: Record<string, string> };

/**
 * Calls the shop as any program would, straight from the contract table. Requests are not validated here.
 * @param cookies stores the cookies of the answers and sends them, as a browser does; without it none are kept
 */
export function createClient(url: string, token?: string, cookies?: Map<string, string>): TestClient {
  const bind =
    (endpoint: Endpoint) =>
    async (input: Input = {}, headers: Record<string, string> = {}) => {
      const path = endpoint.path.replace(/:(\w+)/g, (_, key: string) =>
        encodeURIComponent(input.params?.[key] ?? ''),
      );
      const query = new URLSearchParams(input.query as Record<string, string>).toString();
      const response = await fetch(`${url}${path}${query && `?${query}`}`, {
        method: endpoint.method,
        headers: {
          ...(endpoint.method === 'POST' && { 'content-type': 'application/json' }),
          ...(token && { authorization: `Bearer ${token}` }),
          ...(cookies && { cookie: [...cookies].map(pair => pair.join('=')).join('; ') }),
          ...headers,
        },
        ...(endpoint.method === 'POST' && { body: JSON.stringify(input.body ?? {}) }),
      });
      for (const cookie of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
        cookies?.set(name!, value!);
      }
      const answer = (await response.json()) as Envelope;
      noteCall({ ...input, authorization: headers.authorization ?? token }, answer);
      return { ...answer, status: response.status, headers: response.headers };
    };
  return Object.fromEntries(
    Object.entries(calls).map(([module, group]) => [
      module,
      Object.fromEntries(Object.entries(group).map(([name, endpoint]) => [name, bind(endpoint)])),
    ]),
  ) as unknown as TestClient;
}
