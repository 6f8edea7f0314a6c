import { Button } from '@fixpoint/ui/button.tsx';
import { Cluster, Stack } from '@fixpoint/ui/layout.tsx';
import { Refusal } from '@fixpoint/web-client/faults.ts';
import { type ComponentProps, useId, useState } from 'react';
import { useLoggedIn } from '../../../server/shop-state.ts';
import { useCards } from '../../../shop/billing.ts';
import { orderRefusal, refusalFor } from '../../../shop/decline.ts';
import { PayMark } from '../../../shop/pay-mark.tsx';
import type { PayAnswer, PayMethod, PaymentHandle } from '../../../shop/pay-method.ts';
import { useText } from '../../../shop/texts.ts';
import { answerOfCard } from './card-answer.ts';
import { CardName } from './card-name.tsx';
import { useTypedCard } from './typed-card.tsx';

/** Without a card nothing was paid, even if there was no answer. */
const refusedIfUnknown = (answer: PayAnswer): PayAnswer =>
  answer.kind === 'unknown' ? { kind: 'refused', text: 'errorCode.9901' } : answer;

/** Payment by card: a saved one, or a new one in the provider's fields. */
export function useCard({ asCustomer }: { asCustomer: boolean }): PayMethod {
  const t = useText();
  const typed = useTypedCard();
  const loggedIn = useLoggedIn();
  const cards = useCards(loggedIn && asCustomer);
  const known = asCustomer ? cards.data?.cards : undefined;
  const usable = known?.filter(({ isPast }) => !isPast) ?? [];
  /** Id of the chosen saved card. Default: the default card, which comes first. */
  const [chosen, setChosen] = useState<string | 'typed'>();
  // A new card that is being typed stays chosen when saved ones load later.
  const choice = chosen ?? (typed.begun ? 'typed' : undefined);
  const saved = choice === 'typed' ? undefined : (usable.find(({ id }) => id === choice) ?? usable[0]);

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
  const ask = async (clientSecret: string, { whileAsked }: PaymentHandle) =>
    answerOfCard(await whileAsked(() => typed.form.ask(clientSecret)));

  return {
    method: 'card',
    saved: saved && { cardId: saved.id },
    title: (
      <Cluster>
        <PayMark brand="visa" />
        <PayMark brand="mastercard" />
        <span>{t('plans.pay.card')}</span>
      </Cluster>
    ),
    missing: () => (saved ? [] : typed.missing()),
    fields: errors => (
      <Stack>
        {saved && (
          <Cluster>
            <CardName card={saved} />
            <Button size="s" onClick={() => setChosen('typed')}>
              {t('order.card.change')}
            </Button>
          </Cluster>
        )}
        {/* Hidden, not unmounted: the bank of a saved card needs it, too. */}
        <div hidden={saved !== undefined && !typed.form.asking}>{typed.fields(errors)}</div>
        {!saved &&
          usable.map(card => <SavedCard key={card.id} card={card} onUse={() => setChosen(card.id)} />)}
      </Stack>
    ),
    async confirm(nextAction, { email }, handle) {
      if (nextAction.kind === 'wait') return { kind: 'taken' };
      // A new card must not answer the question for an earlier card.
      if (saved && nextAction.kind === 'authenticate') return ask(nextAction.clientSecret, handle);
      if (nextAction.kind !== 'card' && nextAction.kind !== 'authenticate')
        throw new Error(`a card cannot be paid by ${nextAction.kind}`);
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
    },
    abandon: typed.form.abandon,
  };
}

/** A saved card to switch back to. The button's accessible name includes the card. */
function SavedCard(props: ComponentProps<typeof CardName> & { onUse: () => void }) {
  const t = useText();
  const [button, name] = [useId(), useId()];
  return (
    <Cluster>
      <div id={name}>
        <CardName card={props.card} />
      </div>
      <Button size="s" id={button} aria-labelledby={`${button} ${name}`} onClick={props.onUse}>
        {t('order.card.useSaved')}
      </Button>
    </Cluster>
  );
}
