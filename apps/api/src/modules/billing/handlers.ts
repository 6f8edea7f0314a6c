import type { billingCalls } from '@fixpoint/contract/calls/billing.ts';
import { subjectFaults } from '@fixpoint/contract/errors.ts';
import type { Handlers } from '../../kernel/caller.ts';
import { isRefusal, refuseFields } from '../../kernel/refusal.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import { buyerDetailsOf, readBuyerDetails, saveBuyerDetails } from './buyer-details.ts';
import { documentView } from './documents.ts';
import { invoicesView, invoiceView, yearsView } from './view.ts';

export function billingHandlers({ db, clock }: { db: Db; clock: Clock }) {
  return {
    myBilling: ({ query }, { customerId }) => invoicesView(db, customerId, query),
    listMyBilling: ({ body }, { customerId }) => invoicesView(db, customerId, body),

    billedYears: async (_, { customerId }) => ({ years: await yearsView(db, customerId) }),

    getCompany: async (_, { customerId }) => ({ company: (await readBuyerDetails(db, customerId)) ?? null }),

    async setCompany({ body }, { customerId }) {
      const details = body.company && buyerDetailsOf(body.company);
      if (isRefusal(details)) return details;
      await saveBuyerDetails(db, clock.now(), customerId, details);
      return {};
    },

    async getBilling({ params }, { customerId }) {
      return (
        (await invoiceView(db, customerId, params.id)) ?? refuseFields({ id: subjectFaults.invoiceNotFound })
      );
    },

    async getDocument({ params }, { customerId }) {
      const document = await documentView(db, customerId, params.id);
      if (!document) return refuseFields({ id: subjectFaults.invoiceNotFound });
      const { number, pdf } = document;
      return { fileName: `${number}.pdf`, pdf: pdf.toString('base64') };
    },
  } satisfies Handlers<typeof billingCalls>;
}
