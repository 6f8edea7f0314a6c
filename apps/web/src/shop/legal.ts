import { useStore } from '@fixpoint/ui/lib/store.ts';
import { useQuery } from '@tanstack/react-query';
import { shownLanguage } from '../routing/language.ts';
import { api } from '../server/api.ts';

export type LegalDocument = 'terms' | 'policy';

/** The legal text in the language on the screen, with the version that a customer agrees to. */
export function useLegal(document: LegalDocument) {
  const language = useStore(shownLanguage);
  return useQuery({
    queryKey: ['legal', document, language],
    queryFn: () => (document === 'terms' ? api.text.getTerm({}) : api.text.getPolicy({})),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
