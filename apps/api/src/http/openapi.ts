import { calls } from '@fixpoint/contract/calls.ts';
import { refuse } from '../kernel/refusal.ts';
import { mount } from './routes.ts';
import { createServer } from './server.ts';

/** Builds the OpenAPI document from the contract, without a running shop. */
export async function buildOpenApi(): Promise<unknown> {
  const app = await createServer(false);
  const none = Object.fromEntries(Object.keys(calls).map(module => [module, {}])) as Parameters<
    typeof mount<typeof calls>
  >[2];
  mount(
    app,
    calls,
    none,
    async () => refuse('notBuilt'),
    (_, work) => work(),
    (_, work) => work(),
    async () => undefined,
  );
  await app.ready();
  const document = app.swagger();
  await app.close();
  return document;
}
