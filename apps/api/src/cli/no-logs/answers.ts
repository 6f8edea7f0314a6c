import { calls } from '@fixpoint/contract/calls.ts';
import type { Calls } from '@fixpoint/contract/endpoint.ts';
import type { CommandEnv } from '../../env/env.ts';

/** Pages that are no calls. */
const PAGES = ['/config.json', '/openapi.json', '/no-logs.json'];

/** What the operator's monitoring is told, where it is told anything. */
const MONITORING = ['/metrics', '/drift'];

/** Calls that anybody may make without saying anything. */
const OPEN = Object.values(calls as Calls)
  .flatMap(group => Object.values(group))
  .filter(({ method, auth, params, query }) => {
    const asksNothing = !params && (!query || query.safeParse({}).success);
    return method === 'GET' && auth === 'visitor' && asksNothing;
  })
  .map(({ path }) => path);

/** What the shop tells everybody, and what it tells the operator's monitoring where it tells it anything. */
export const standardAnswers = ({ PUBLIC_URL, METRICS_PORT, METRICS_HOST }: CommandEnv): string[] => [
  ...[...PAGES, ...OPEN].map(path => `${PUBLIC_URL}${path}`),
  ...(METRICS_PORT ? MONITORING.map(path => `http://${here(METRICS_HOST)}:${METRICS_PORT}${path}`) : []),
];

/** Where this machine reaches what listens on an address, or on all of them. */
function here(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
