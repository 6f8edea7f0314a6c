import { Fault } from '../../lib/faults.ts';
import { LoadError } from '../../lib/loading.tsx';
import { type TextKey, useText } from '../../lib/texts.ts';
import { FieldFrame } from '../../ui/field.tsx';
import { Cluster, Stack } from '../../ui/layout.tsx';
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
    <FieldFrame id={cardFieldId(field)} label={t(labels[field])} error={errors[field]}>
      {/* biome-ignore lint/a11y/useSemanticElements: a place for a foreign field, not a set of ours */}
      <div
        role="group"
        id={cardFieldId(field)}
        aria-label={t(labels[field])}
        aria-busy={!card.fields[field].ready}
        tabIndex={-1}
        onFocus={() => card.focus(field)}
      />
    </FieldFrame>
  );
  return (
    <Stack>
      {card.status === 'failed' && <LoadError error={new Fault()} onRetry={card.retry} />}
      {holder('number')}
      <Cluster align="start">
        {holder('expiry')}
        {holder('cvc')}
      </Cluster>
    </Stack>
  );
}
