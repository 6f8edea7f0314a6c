import { QueryClient } from '@tanstack/react-query';
import { session } from './api.ts';

/**
 * What the server said, kept while it is fresh. The client itself repeats reads after passing faults, so nothing is
 * repeated here. What changes something does not go through it (`shop/use-action.ts`).
 */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 30_000 } },
});

// Another customer may log in next: nothing of this one stays.
session.token.subscribe(() => {
  if (session.token.get() === '') queryClient.clear();
});
