import { QueryClient } from '@tanstack/react-query';
import type { Session } from './session.ts';

/**
 * What the server said, kept while it is fresh. The client itself repeats reads after passing faults, so nothing is
 * repeated here. What changes something does not go through it (`use-action.ts`).
 */
export function createQueryClient(session: Session): QueryClient {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 30_000 } } });
  // Another person may log in next: nothing of this one stays. A mailed link is of no session: asked for again in the
  // middle of its use it would be found spent.
  session.token.subscribe(() => {
    if (session.token.get() === '')
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'link' });
  });
  return client;
}
