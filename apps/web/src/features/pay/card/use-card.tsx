import type { PayMethod } from '../../../shop/pay-method.ts';
import { useText } from '../../../shop/texts.ts';
import { Cluster } from '../../../ui/layout.tsx';
import { PayMark } from '../../../ui/pay-mark.tsx';
import { answerOfCard } from './card-answer.ts';
import { cardGap } from './card-faults.ts';
import { CardFields } from './card-fields.tsx';
import { cardFieldId, cardFields } from './card-messages.ts';
import { useCardForm } from './use-card-form.ts';

/** Paying by card, typed into the provider's own fields. */
export function useCard(): PayMethod {
  const t = useText();
  const form = useCardForm();
  return {
    method: 'card',
    title: (
      <Cluster>
        <PayMark brand="visa" />
        <PayMark brand="mastercard" />
        <span>{t('plans.pay.card')}</span>
      </Cluster>
    ),
    missing: () =>
      cardFields
        .map(field => ({ id: cardFieldId(field), gap: cardGap(field, form.fields[field]) }))
        .flatMap(({ id, gap }) => (gap ? [{ id, text: t(gap) }] : [])),
    fields: errors => <CardFields card={form} errors={errors} />,
    async confirm(payable, { email }) {
      if (payable.kind === 'wait') return { kind: 'taken' };
      if (payable.kind !== 'confirm') throw new Error(`a card cannot be paid by ${payable.kind}`);
      return answerOfCard(await form.confirm(payable.clientSecret, email));
    },
  };
}
