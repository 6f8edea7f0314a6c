import type { textCalls } from '@fixpoint/contract/calls/text.ts';
import type { Language } from '@fixpoint/contract/languages.ts';
import { type Bundle, bundleVersion } from '@fixpoint/texts/bundles.ts';
import {
  documentHtml,
  documentVersion,
  type OperatorData,
  type OwnLegalTexts,
} from '@fixpoint/texts/documents.ts';
import { createAnswerCache } from '../../kernel/answer-cache.ts';
import type { Handlers } from '../../kernel/caller.ts';
import type { Db } from '../../ports/database.ts';
import type { Maintenance } from './maintenance.ts';
import { uiTexts } from './overrides.ts';

export function textHandlers(deps: {
  db: Db;
  operator: OperatorData;
  legalTexts?: OwnLegalTexts | undefined;
  maintenance: Maintenance;
}) {
  const { db, operator, legalTexts, maintenance } = deps;
  const textsIn = createAnswerCache<{ version: string; uiText: Bundle }>();
  const document = (name: 'terms' | 'privacy') => {
    const version = documentVersion(name, legalTexts);
    const made = new Map<Language, { version: string; html: string }>();
    return (language: Language) => {
      const known = made.get(language) ?? {
        version,
        html: documentHtml(name, language, operator, legalTexts),
      };
      made.set(language, known);
      return known;
    };
  };
  const [terms, policy] = [document('terms'), document('privacy')];
  return {
    async getMaintainerStatus() {
      return (await maintenance.isOn()) ? 'MAINTENANCE' : 'NORMAL';
    },
    async uiText({ query }) {
      const texts = await textsIn(query.lang, async () => {
        const uiText = await uiTexts(db, query.lang);
        return { version: bundleVersion(uiText), uiText };
      });
      return texts.version === query.version ? { version: texts.version } : texts;
    },
    getTerm: async (_, { language }) => terms(language),
    getPolicy: async (_, { language }) => policy(language),
  } satisfies Handlers<typeof textCalls>;
}
