import type { textCalls } from '@fixpoint/contract/calls/text.ts';
import type { Language } from '@fixpoint/contract/languages.ts';
import { type Bundle, bundleVersion } from '@fixpoint/texts/bundles.ts';
import {
  type DocumentName,
  documentHtml,
  documentVersion,
  type OperatorData,
  type OwnLegalTexts,
} from '@fixpoint/texts/documents.ts';
import { createAnswerCache } from '../../kernel/answer-cache.ts';
import type { Handlers } from '../../kernel/caller.ts';
import { refuseFields } from '../../kernel/refusal.ts';
import type { Db } from '../../ports/database.ts';
import { keptText, type LegalText } from './legal-wordings.ts';
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
  const legalText = (document: DocumentName) => {
    const present = documentVersion(document, legalTexts);
    const made = new Map<Language, LegalText>();
    return async (version: string | undefined, language: Language) => {
      if (version !== undefined && version !== present) {
        const kept = await keptText(db, document, version, language);
        return kept ?? refuseFields({ version: 'form.invalid' });
      }
      const known = made.get(language) ?? {
        version: present,
        html: documentHtml(document, language, operator, legalTexts),
      };
      made.set(language, known);
      return known;
    };
  };
  const [terms, policy] = [legalText('terms'), legalText('privacy')];
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
    getTerm: ({ query }, { language }) => terms(query.version, language),
    getPolicy: ({ query }, { language }) => policy(query.version, language),
  } satisfies Handlers<typeof textCalls>;
}
