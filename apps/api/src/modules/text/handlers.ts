import type { textCalls } from '@fixpoint/contract/calls/text.ts';
import { bundleVersion } from '@fixpoint/texts/bundles.ts';
import { documentHtml, documentVersion, type OperatorData } from '@fixpoint/texts/documents.ts';
import type { Handlers } from '../../caller.ts';
import type { Db } from '../../ports/database.ts';
import { isMaintenance } from './maintenance.ts';
import { uiTexts } from './overrides.ts';

export function textHandlers(deps: { db: Db; operator: OperatorData }) {
  const { db, operator } = deps;
  return {
    async getMaintainerStatus() {
      return (await isMaintenance(db)) ? 'MAINTENANCE' : 'NORMAL';
    },
    async uiText({ query }) {
      const uiText = await uiTexts(db, query.lang);
      const version = bundleVersion(uiText);
      return version === query.version ? { version } : { version, uiText };
    },
    async getTerm(_, { language }) {
      return { version: documentVersion('terms'), html: documentHtml('terms', language, operator) };
    },
    async getPolicy(_, { language }) {
      return { version: documentVersion('privacy'), html: documentHtml('privacy', language, operator) };
    },
  } satisfies Handlers<typeof textCalls>;
}
