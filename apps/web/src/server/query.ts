import { MutationCache, QueryClient } from '@tanstack/react-query';
import { showError } from '../shop/snack.ts';
import { session } from './api.ts';

/**
 * What the server said, kept while it is fresh. The client itself repeats reads after passing faults, so nothing is
 * repeated here. A write that fails shows its code as a snack; forms show it beside the field as well. A write without
 * a connection fails at once: held back, it would happen when nobody thinks of it any more.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 30_000 },
    mutations: { retry: false, networkMode: 'always' },
  },
  mutationCache: new MutationCache({ onError: showError }),
});

// Another customer may log in next: nothing of this one stays.
session.token.subscribe(() => {
  if (session.token.get() === '') queryClient.clear();
});
