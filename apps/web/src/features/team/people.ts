import { queryOptions } from '@tanstack/react-query';
import { api } from '../../server/api.ts';
import { profileQuery } from '../../server/profile.ts';
import { queryClient } from '../../server/query.ts';
import { snacks } from '../../shop/snack.ts';

export type People = Awaited<ReturnType<typeof api.team.people>>;
export type Person = People['people'][number];
export type Invitation = People['invitations'][number];
export type Profile = Awaited<ReturnType<typeof api.auth.profile>>;

export const peopleQuery = queryOptions({
  queryKey: ['people'],
  queryFn: () => api.team.people({}),
  /** Others accept and leave meanwhile. */
  staleTime: 0,
});

/** Shows what was done, and reads people and profile again. */
export async function refreshPeople(text: string): Promise<void> {
  snacks.show({ type: 'success', text });
  await Promise.all(
    [peopleQuery, profileQuery].map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })),
  );
}
