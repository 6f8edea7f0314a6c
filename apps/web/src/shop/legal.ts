import { useStore } from '@fixpoint/ui/lib/store.ts';
import { useQuery } from '@tanstack/react-query';
import { shownLanguage } from '../routing/language.ts';
import { api } from '../server/api.ts';

export type LegalDocument = 'terms' | 'policy';

/**
 * The legal text in the language on the screen, with the version that a customer agrees to.
 * @param version an earlier one; without it the present one
 */
export function useLegal(document: LegalDocument, version?: string) {
  const language = useStore(shownLanguage);
  return useQuery({
    queryKey: ['legal', document, language, version],
    queryFn: () => api.text[document === 'terms' ? 'getTerm' : 'getPolicy']({ query: { version } }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
