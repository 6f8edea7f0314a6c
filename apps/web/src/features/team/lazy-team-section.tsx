import { loadChunk } from '@fixpoint/ui/lib/chunk.ts';
import { lazy, Suspense } from 'react';
import type { Profile } from './people.ts';

const TeamSection = lazy(async () => ({
  default: (await loadChunk(() => import('./team-section.tsx'))).TeamSection,
}));

/** The section *Team* of My account, loaded apart from it. */
export function LazyTeamSection(props: { profile: Profile }) {
  return (
    <Suspense fallback={null}>
      <TeamSection {...props} />
    </Suspense>
  );
}
