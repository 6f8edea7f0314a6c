import type { billingCalls } from '@fixpoint/contract/calls/billing.ts';
import type { Handlers } from '../../caller.ts';
import type { Db } from '../../ports/database.ts';
import { refuse } from '../../refusal.ts';
import { invoicesView, invoiceView } from './view.ts';

export function billingHandlers({ db }: { db: Db }) {
  return {
    myBilling: ({ query }, { customerId }) => invoicesView(db, customerId, query),
    listMyBilling: ({ body }, { customerId }) => invoicesView(db, customerId, body),

    async getBilling({ params }, { customerId }) {
      return (await invoiceView(db, customerId, params.id)) ?? refuse('productNotFound');
    },
  } satisfies Handlers<typeof billingCalls>;
}
