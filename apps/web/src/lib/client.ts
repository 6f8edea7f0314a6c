import type { CallRow } from 'virtual:calls';
import type { ShopCalls } from '@fixpoint/contract/calls.ts';
import type { Answer, Calls, Sent } from '@fixpoint/contract/endpoint.ts';
import { withBackOff } from './faults.ts';
import type { Send } from './transport.ts';

type Input<E extends Calls[string][string]> = Sent<E> &
  (E['auth'] extends 'link' ? { /** Token of the mailed link. */ bearer: string } : unknown);

/** The contract as functions: what a call is sent and answers is what its table says. */
export type ShopClient<C extends Calls = ShopCalls> = {
  [M in keyof C]: { [N in keyof C[M]]: (input: Input<C[M][N]>) => Promise<Answer<C[M][N]>> };
};

type LooseInput = {
  body?: unknown;
  query?: Record<string, unknown>;
  params?: Record<string, string>;
  bearer?: string;
};

/** These only read although they are POST, so they may be repeated as a GET may. */
const readingPosts = new Set([
  '/v1/order/getProduct',
  '/v1/order/purchaseData',
  '/v1/subscription/mySubscription',
  '/v1/billing/myBilling',
]);

/** The only place that opens the envelope. Reads are repeated after passing faults, writes never. */
export function createClient(table: Record<string, Record<string, CallRow>>, send: Send): ShopClient {
  const bind =
    ([method, path, token]: CallRow) =>
    async (input: LooseInput) => {
      const filled = path.replace(/:(\w+)/g, (_, name: string) =>
        encodeURIComponent(input.params?.[name] ?? ''),
      );
      const request = { method, path: filled, query: input.query, body: input.body, bearer: input.bearer };
      const repeatable = method === 'GET' || readingPosts.has(path);
      const envelope = await (repeatable ? withBackOff(() => send(request)) : send(request));
      return token ? { data: envelope.data, token: envelope.token } : envelope.data;
    };
  const modules = Object.entries(table).map(([module, calls]) => [
    module,
    Object.fromEntries(Object.entries(calls).map(([name, row]) => [name, bind(row)])),
  ]);
  return Object.fromEntries(modules) as ShopClient;
}
