import type { FormError } from '@fixpoint/ui/error-summary.tsx';
import { Stack } from '@fixpoint/ui/layout.tsx';
import { TextField } from '@fixpoint/ui/text-field.tsx';
import { useState } from 'react';
import { cardFieldId, cardFields } from '../../../shop/card-field.ts';
import { cardHolder } from '../../../shop/card-holder.ts';
import { useText } from '../../../shop/texts.ts';
import { cardGap } from './card-faults.ts';
import { CardFields } from './card-fields.tsx';
import { useCardForm } from './use-card-form.ts';

const HOLDER = 'card-holder';
const HOLDER_MAX = 100;

/**
 * State of a new card: the name in a field of ours, everything else in the provider's.
 * @param options `saves`: whether the card is kept for later payments, to which its owner consents
 */
export function useTypedCard({ saves }: { saves: boolean }) {
  const t = useText();
  const form = useCardForm();
  const [typed, setTyped] = useState(cardHolder.read);
  // A name that was kept is no sign of it: saved cards still come first.
  const [touched, setTouched] = useState(false);
  const holder = typed.trim();
  return {
    form,
    holder,
    /** The customer has begun to fill it in. */
    begun:
      touched ||
      cardFields.some(
        field => form.fields[field].focused || form.fields[field].complete || form.fields[field].wrong,
      ),
    missing: (): FormError[] => [
      ...cardFields
        .map(field => ({ id: cardFieldId(field), gap: cardGap(field, form.fields[field]) }))
        .flatMap(({ id, gap }) => (gap ? [{ id, text: t(gap) }] : [])),
    ],
    /** @param autoFocus whether the customer has just asked for it */
    fields: (errors: readonly FormError[], autoFocus = false) => (
      <Stack>
        <TextField
          id={HOLDER}
          autoFocus={autoFocus}
          label={t('order.card.name')}
          optional={t('form.optional')}
          autoComplete="cc-name"
          maxLength={HOLDER_MAX}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            setTouched(target.value !== '');
            cardHolder.save(target.value);
          }}
        />
        <CardFields card={form} errors={errors} />
        {saves && <p className="muted">{t('order.card.consent')}</p>}
      </Stack>
    ),
  };
}
