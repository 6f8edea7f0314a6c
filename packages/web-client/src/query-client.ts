import { QueryClient } from '@tanstack/react-query';
import type { Session } from './session.ts';

/**
 * Cache of answers. Reads are repeated by the client itself, so the library repeats nothing. Writes
 * do not go through it (`use-action.ts`).
 */
export function createQueryClient(session: Session): QueryClient {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 30_000 } } });
  // Another user may log in next, so nothing of this one stays. The check of an emailed link
  // belongs to no session: repeated during its use, it would find the link used up.
  session.token.subscribe(() => {
    if (session.token.get() === '')
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'link' });
  });
  return client;
}
