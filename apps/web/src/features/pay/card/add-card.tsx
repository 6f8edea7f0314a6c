import { useState } from 'react';
import { FormFrame } from '../../../forms/form-frame.tsx';
import { useFormState } from '../../../forms/form-state.ts';
import { Refusal } from '../../../lib/faults.ts';
import { api } from '../../../server/api.ts';
import { queryClient } from '../../../server/query.ts';
import { causeTexts } from '../../../shop/decline.ts';
import type { OrderState, PayAnswer } from '../../../shop/pay-method.ts';
import { snacks } from '../../../shop/snack.ts';
import { errorText, type TextKey, useText } from '../../../shop/texts.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { answerOfCard } from './card-answer.ts';
import { useTypedCard } from './typed-card.tsx';

/** Saves a card without paying: typed, looked at by the server, and asked about by its bank where that wants to. */
export function AddCard({ replaces, onEnd }: { replaces: string | undefined; onEnd: () => void }) {
  const t = useText();
  const typed = useTypedCard();
  const [problem, setProblem] = useState<string>();

  const wordsOf = (answer: PayAnswer): string | undefined => {
    if (answer.kind === 'declined') return errorText(answer.code);
    return answer.kind === 'refused' ? (answer.words ?? t(answer.text)) : undefined;
  };

  /** @returns why it was not saved */
  async function save(): Promise<string | undefined> {
    const made = await typed.form.make(typed.holder, '');
    if (!made.card) return wordsOf(answerOfCard(made));
    const also = { ...(replaces && { replaces }) };
    const { asked } = await api.payment.updPayment({ body: { card: made.card, ...also } });
    if (!asked) return undefined;
    const answered = await typed.form.ask(asked.clientSecret);
    if (answered.error) return wordsOf(answerOfCard(answered));
    await api.payment.updPayment({ body: { setupIntent: asked.setupIntent, ...also } });
    return undefined;
  }

  const state = useFormState({
    defaultValues: {},
    fields: [typed.missing],
    async send() {
      setProblem(undefined);
      const why = await save().catch((error: unknown) => {
        const text = refusedBecause(error);
        if (!text) throw error;
        return t(text);
      });
      if (why) return setProblem(why);
      snacks.show({ type: 'success', text: t('billing.card.saved') });
      await queryClient.invalidateQueries({ queryKey: ['cards'] });
      onEnd();
    },
  });
  return (
    <FormFrame
      state={state}
      actions={
        <>
          <Button type="submit" variant="primary" busy={state.busy}>
            {t('billing.card.save')}
          </Button>
          <Button variant="quiet" onClick={onEnd}>
            {t('app.cancel')}
          </Button>
        </>
      }
    >
      {problem && (
        <Alert type="error" live>
          {problem}
        </Alert>
      )}
      {typed.fields(state.errors)}
    </FormFrame>
  );
}

/** The text of a refusal of the card itself, where it has one. */
function refusedBecause(error: unknown): TextKey | undefined {
  if (!(error instanceof Refusal)) return undefined;
  const { cause } = error.data as Pick<OrderState, 'cause'>;
  return cause ? causeTexts[cause] : (error.fields.card as TextKey | undefined);
}
