import { Button } from '@fixpoint/ui/button.tsx';
import { Cluster, Stack } from '@fixpoint/ui/layout.tsx';
import { Refusal } from '@fixpoint/web-client/faults.ts';
import { type ComponentProps, useId, useState } from 'react';
import { useLoggedIn } from '../../../server/shop-state.ts';
import { useCards } from '../../../shop/billing.ts';
import { refusalOf, refusedFor } from '../../../shop/decline.ts';
import { PayMark } from '../../../shop/pay-mark.tsx';
import type { PayAnswer, PayDesk, PayMethod } from '../../../shop/pay-method.ts';
import { useText } from '../../../shop/texts.ts';
import { answerOfCard } from './card-answer.ts';
import { CardName } from './card-name.tsx';
import { useTypedCard } from './typed-card.tsx';

/** A card that was not made has paid nothing, also when nobody answered. */
const refusedBeforePaying = (answer: PayAnswer): PayAnswer =>
  answer.kind === 'unknown' ? { kind: 'refused', text: 'errorCode.9901' } : answer;

/** Paying by card: one that was saved before, or one that is typed into the provider's own fields. */
export function useCard(): PayMethod {
  const t = useText();
  const typed = useTypedCard();
  const cards = useCards(useLoggedIn());
  const usable = cards.data?.cards.filter(({ isPast }) => !isPast) ?? [];
  /** The id of a saved one; until its owner says otherwise the default, which comes first. */
  const [chosen, setChosen] = useState<string | 'typed'>();
  // Whoever types a card pays with it, also where his saved ones arrive only then.
  const wanted = chosen ?? (typed.begun ? 'typed' : undefined);
  const saved = wanted === 'typed' ? undefined : (usable.find(({ id }) => id === wanted) ?? usable[0]);

  /** The bank's question, where it has one. */
  const follow = async ({
    payment,
    ...refusal
  }: Awaited<ReturnType<PayDesk['byCard']>>): Promise<PayAnswer> => {
    if (refusal.failure) return refusalOf(refusal);
    const payable = payment?.payable;
    if (payable?.kind !== 'confirm') return { kind: 'taken' };
    return payable.requiresAction ? ask(payable.clientSecret) : { kind: 'unknown' };
  };
  const ask = async (clientSecret: string) => answerOfCard(await typed.form.ask(clientSecret));

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
        {/* There, and not seen: the bank of a saved card asks in it, too. */}
        <div hidden={saved !== undefined && !typed.form.asking}>{typed.fields(errors)}</div>
        {!saved &&
          usable.map(card => <SavedCard key={card.id} card={card} onUse={() => setChosen(card.id)} />)}
      </Stack>
    ),
    async confirm(payable, { email }, desk) {
      if (payable.kind === 'wait') return { kind: 'taken' };
      if (payable.kind !== 'confirm') throw new Error(`a card cannot be paid by ${payable.kind}`);
      // An earlier card's question is not answered by who types another card.
      if (saved && payable.requiresAction) return ask(payable.clientSecret);
      const made = await typed.form.make(typed.holder, email);
      if (!made.card) return refusedBeforePaying(answerOfCard(made));
      try {
        return await follow(await desk.byCard(made.card));
      } catch (error) {
        // Too old by our own rule: nothing was charged.
        if (error instanceof Refusal && error.fields.card) return refusedFor('expiry');
        if (error instanceof Refusal) throw error;
        return { kind: 'unknown' };
      }
    },
  };
}

/** A saved card that its owner may come back to. Its button is told from the others by the card that it names. */
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
