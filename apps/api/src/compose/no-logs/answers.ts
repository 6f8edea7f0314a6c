import { calls } from '@fixpoint/contract/calls.ts';
import type { Calls } from '@fixpoint/contract/endpoint.ts';
import type { CommandEnv } from '../../env/env.ts';

/** Public pages that are not calls. */
const PAGES = ['/config.json', '/openapi.json', '/no-logs.json'];

/** Pages for the operator's monitoring, if it is on. */
const MONITORING = ['/metrics', '/drift'];

/** Calls that anybody may make without parameters. */
const OPEN = Object.values(calls as Calls)
  .flatMap(group => Object.values(group))
  .filter(({ method, auth, params, query }) => {
    const asksNothing = !params && (!query || query.safeParse({}).success);
    return method === 'GET' && auth === 'visitor' && asksNothing;
  })
  .map(({ path }) => path);

/** URLs of all public answers, and of the monitoring pages if they are on. */
export const standardAnswers = ({ PUBLIC_URL, METRICS_PORT, METRICS_HOST }: CommandEnv): string[] => [
  ...[...PAGES, ...OPEN].map(path => `${PUBLIC_URL}${path}`),
  ...(METRICS_PORT ? MONITORING.map(path => `http://${here(METRICS_HOST)}:${METRICS_PORT}${path}`) : []),
];

/** Address by which this machine reaches a listener, also one on all addresses. */
function here(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
