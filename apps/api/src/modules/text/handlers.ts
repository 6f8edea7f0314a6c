import type { textCalls } from '@fixpoint/contract/calls/text.ts';
import { bundleVersion, loadBundle } from '@fixpoint/texts/bundles.ts';
import { documentHtml, documentVersion } from '@fixpoint/texts/documents.ts';
import type { Handlers } from '../../http/context.ts';
import type { Db } from '../../ports/database.ts';
import { isMaintenance } from './maintenance.ts';

export function textHandlers(deps: { db: Db; brandName: string; supportEmail: string }) {
  const { db } = deps;
  const values = { brand: deps.brandName, support: deps.supportEmail };
  return {
    async getMaintainerStatus() {
      return (await isMaintenance(db)) ? 'MAINTENANCE' : 'NORMAL';
    },
    async uiText({ query }) {
      return { version: bundleVersion(query.lang), uiText: loadBundle(query.lang) };
    },
    async getTerm(_, { language }) {
      return { version: documentVersion('terms'), html: documentHtml('terms', language, values) };
    },
    async getPolicy(_, { language }) {
      return { version: documentVersion('privacy'), html: documentHtml('privacy', language, values) };
    },
  } satisfies Handlers<typeof textCalls>;
}
