import type { textCalls } from '@fixpoint/contract/calls/text.ts';
import { bundleVersion, loadBundle } from '@fixpoint/texts/bundles.ts';
import type { Handlers } from '../../http/context.ts';
import type { Db } from '../../ports/database.ts';
import { isMaintenance } from './maintenance.ts';

export function textHandlers({ db }: { db: Db }) {
  return {
    async getMaintainerStatus() {
      return (await isMaintenance(db)) ? 'MAINTENANCE' : 'NORMAL';
    },
    async uiText({ query }) {
      return { version: bundleVersion(query.lang), uiText: loadBundle(query.lang) };
    },
  } satisfies Handlers<typeof textCalls>;
}
