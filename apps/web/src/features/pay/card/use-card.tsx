import { Refusal } from '@fixpoint/web-client/faults.ts';
import { useLoggedIn } from '../../../server/shop-state.ts';
import { useCards } from '../../../shop/billing.ts';
import { orderRefusal, refusalFor } from '../../../shop/decline.ts';
import { PayMark } from '../../../shop/pay-mark.tsx';
import type { OfferedMethod, PayAnswer, PayMethod, PaymentHandle } from '../../../shop/pay-method.ts';
import { useText } from '../../../shop/texts.ts';
import { answerOfCard } from './card-answer.ts';
import { CardName } from './card-name.tsx';
import { useTypedCard } from './typed-card.tsx';

/** Without a card nothing was paid, even if there was no answer. */
const refusedIfUnknown = (answer: PayAnswer): PayAnswer =>
  answer.kind === 'unknown' ? { kind: 'refused', text: 'errorCode.9901' } : answer;

/** Payment by card: each saved one, the default first, and a new one in the provider's fields. */
export function useCard({ asCustomer }: { asCustomer: boolean }): {
  saved: OfferedMethod[];
  typed: OfferedMethod;
} {
  const t = useText();
  const typed = useTypedCard({ saves: asCustomer });
  const loggedIn = useLoggedIn();
  const { data } = useCards(loggedIn && asCustomer);
  const usable = ((asCustomer && data?.cards) || []).filter(({ isPast }) => !isPast);

  const ask = async (clientSecret: string, { whileAsked }: PaymentHandle) =>
    answerOfCard(await whileAsked(() => typed.form.ask(clientSecret)));
  /** Asks the bank's question, if there is one. */
  const confirmIfAsked = async (
    { payment, ...refusal }: Awaited<ReturnType<PaymentHandle['payByCard']>>,
    handle: PaymentHandle,
  ): Promise<PayAnswer> => {
    if (refusal.failure) return orderRefusal(refusal);
    const nextAction = payment?.nextAction;
    if (nextAction?.kind === 'authenticate') return ask(nextAction.clientSecret, handle);
    return { kind: nextAction?.kind === 'card' ? 'unknown' : 'taken' };
  };
  const payTyped = async (email: string, handle: PaymentHandle): Promise<PayAnswer> => {
    const made = await typed.form.make(typed.holder, email);
    if (!made.card) return refusedIfUnknown(answerOfCard(made));
    try {
      return await confirmIfAsked(await handle.payByCard(made.card), handle);
    } catch (error) {
      // Expired by our own rule: nothing was charged.
      if (error instanceof Refusal && error.fields.card) return refusalFor('expiry');
      if (error instanceof Refusal) throw error;
      return { kind: 'unknown' };
    }
  };
  const confirmBy =
    (isSaved: boolean): PayMethod['confirm'] =>
    async (nextAction, { email }, handle) => {
      if (nextAction.kind === 'wait') return { kind: 'taken' };
      // A new card must not answer the question for an earlier card.
      if (isSaved && nextAction.kind === 'authenticate') return ask(nextAction.clientSecret, handle);
      if (nextAction.kind !== 'card' && nextAction.kind !== 'authenticate')
        throw new Error(`a card cannot be paid by ${nextAction.kind}`);
      return payTyped(email, handle);
    };

  const common = { method: 'card', abandon: typed.form.abandon } as const;
  return {
    saved: usable.map(card => ({
      ...common,
      id: card.id,
      saved: { cardId: card.id },
      title: <CardName card={card} />,
      missing: () => [],
      confirm: confirmBy(true),
    })),
    typed: {
      ...common,
      id: 'card',
      title: t(usable.length > 0 ? 'order.card.other' : 'plans.pay.card'),
      marks: (
        <>
          <PayMark brand="visa" />
          <PayMark brand="mastercard" />
        </>
      ),
      begun: typed.begun,
      // The bank of a saved card asks in the same frame.
      asking: typed.form.asking,
      missing: typed.missing,
      fields: typed.fields,
      confirm: confirmBy(false),
    },
  };
}
