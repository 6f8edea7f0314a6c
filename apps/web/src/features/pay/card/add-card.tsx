import { Alert } from '@fixpoint/ui/alert.tsx';
import { Button } from '@fixpoint/ui/button.tsx';
import { Checkbox } from '@fixpoint/ui/checkbox.tsx';
import { Fault, Refusal } from '@fixpoint/web-client/faults.ts';
import { FormFrame } from '@fixpoint/web-client/forms/form-frame.tsx';
import { useFormState } from '@fixpoint/web-client/forms/form-state.ts';
import { type ReactNode, useState } from 'react';
import { api } from '../../../server/api.ts';
import { queryClient } from '../../../server/query.ts';
import { refusalErrors, refusalFor, refusalText } from '../../../shop/decline.ts';
import type { OrderState, PayAnswer } from '../../../shop/pay-method.ts';
import { snacks } from '../../../shop/snack.ts';
import { errorText, useText } from '../../../shop/texts.ts';
import { answerOfCard } from './card-answer.ts';
import { useTypedCard } from './typed-card.tsx';

/**
 * Saves a card without a payment: typed, checked by the server, confirmed by its bank if the bank
 * wants it.
 * @param props `notice`: notice of amounts past due that will be charged to it
 */
export function AddCard(props: {
  replaces: string | undefined;
  /** Whether renewals are charged to another method that stays: then it asks before that changes. */
  asksDefault: boolean;
  notice: ReactNode;
  onEnd: () => void;
}) {
  const { replaces, asksDefault, notice, onEnd } = props;
  const t = useText();
  const typed = useTypedCard({ saves: true });
  const [problem, setProblem] = useState<NotSaved>();
  const [asDefault, setAsDefault] = useState(false);

  /** @returns why it was not saved */
  async function save(): Promise<NotSaved | undefined> {
    const made = await typed.form.make(typed.holder, '');
    if (!made.card) return notSaved(answerOfCard(made));
    const also = { ...(replaces && { replaces }), ...(asDefault && { asDefault }) };
    const { asked } = await api.payment.updPayment({ body: { card: made.card, ...also } });
    if (!asked) return undefined;
    const answered = await typed.form.ask(asked.clientSecret);
    if (answered.error) return notSaved(answerOfCard(answered));
    await api.payment.updPayment({ body: { setupIntent: asked.setupIntent, ...also } });
    return undefined;
  }

  const state = useFormState({
    defaultValues: {},
    fields: [typed.missing],
    async send() {
      setProblem(undefined);
      const why = await save().catch((error: unknown) => {
        const refused = refusalIn(error);
        if (!refused) throw error;
        return refused;
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
          <Button variant="quiet" disabled={state.busy} onClick={onEnd}>
            {t('app.cancel')}
          </Button>
        </>
      }
    >
      {problem && (
        <Alert type="error" live>
          {problem.kind === 'declined' ? errorText(problem.code) : refusalText(t, problem)}
        </Alert>
      )}
      <p className="muted">{t('order.payment.lead')}</p>
      {typed.fields(
        [...state.errors, ...(problem?.kind === 'refused' ? refusalErrors(t, problem) : [])],
        true,
      )}
      {asksDefault && (
        <Checkbox
          name="asDefault"
          label={t('billing.card.asDefault')}
          checked={asDefault}
          onChange={({ target }) => setAsDefault(target.checked)}
        />
      )}
      {notice}
    </FormFrame>
  );
}

type NotSaved = Extract<PayAnswer, { kind: 'declined' | 'refused' }>;

/** @throws if the provider has not said whether it accepted the card */
function notSaved(answer: PayAnswer): NotSaved {
  if (answer.kind === 'declined' || answer.kind === 'refused') return answer;
  throw new Fault('the provider did not accept the card');
}

/** Refusal of the card itself, as an answer to show. */
function refusalIn(error: unknown): NotSaved | undefined {
  if (!(error instanceof Refusal)) return undefined;
  const { cause } = error.data as Pick<OrderState, 'cause'>;
  if (cause) return refusalFor(cause);
  // Expired by our own rule.
  return error.fields.card ? refusalFor('expiry') : undefined;
}
