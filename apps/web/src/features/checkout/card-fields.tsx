import { Fault } from '../../lib/faults.ts';
import { LoadError } from '../../lib/load-error.tsx';
import { type TextKey, useText } from '../../lib/texts.ts';
import { FieldHolder } from '../../ui/field-holder.tsx';
import { Grid, Stack } from '../../ui/layout.tsx';
import { type CardField, type CardForm, cardFieldId } from './use-card-form.ts';

const labels: Record<CardField, TextKey> = {
  number: 'order.card.number',
  expiry: 'order.card.expiry',
  cvc: 'order.card.cvc',
};

/** The places for the provider's fields, with our labels above and errors beside them. */
export function CardFields({ card, errors }: { card: CardForm; errors: Partial<Record<CardField, string>> }) {
  const t = useText();
  const holder = (field: CardField) => (
    <FieldHolder
      id={cardFieldId(field)}
      label={t(labels[field])}
      error={errors[field]}
      busy={!card.fields[field].ready}
      onFocus={() => card.focus(field)}
    />
  );
  return (
    <Stack>
      {card.status === 'failed' && <LoadError error={new Fault()} onRetry={card.retry} />}
      {holder('number')}
      <Grid min="10rem" gap={4}>
        {holder('expiry')}
        {holder('cvc')}
      </Grid>
    </Stack>
  );
}
