import { languages } from '@fixpoint/contract/languages.ts';
import type { FormError } from '@fixpoint/ui/error-summary.tsx';
import { FieldOutline } from '@fixpoint/ui/field-outline.tsx';
import { Grid, Stack } from '@fixpoint/ui/layout.tsx';
import { useNeeded } from '@fixpoint/ui/lib/use-needed.ts';
import { Fault } from '@fixpoint/web-client/faults.ts';
import { useEffect, useRef, useState } from 'react';
import { shownLanguage } from '../../../routing/language.ts';
import { cardFieldId, cardFields } from '../../../shop/card-field.ts';
import { LoadError } from '../../../shop/load-error.tsx';
import { useText } from '../../../shop/texts.ts';
import { cardFault } from './card-faults.ts';
import { onThemeChange } from './card-look.ts';
import { ForeignDocument } from './foreign-document.tsx';
import { type CardForm, paymentPageUrl } from './use-card-form.ts';

/** Frame of the payment page; sends it look and errors of its fields. */
export function CardFields({ card, errors: all }: { card: CardForm; errors: readonly FormError[] }) {
  const t = useText();
  const [theme, setTheme] = useState(() => document.documentElement.dataset.theme);
  useEffect(() => onThemeChange(() => setTheme(document.documentElement.dataset.theme)), []);

  // The provider's script takes a phone a second, so it loads only when needed.
  const place = useRef<HTMLDivElement>(null);
  const needed = useNeeded(place);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each frame has a timeout of its own
  useEffect(() => (needed ? card.onRendered() : undefined), [needed, card.attempt]);

  const errors = Object.fromEntries(
    cardFields.map(field => {
      const fault = cardFault(card.fields[field]);
      return [field, all.find(({ id }) => id === cardFieldId(field))?.text ?? (fault && t(fault))];
    }),
  );
  const shown = card.status === 'listening' || card.status === 'ready';
  const textsKey = JSON.stringify([
    t('order.card.number'),
    t('order.card.expiry'),
    t('order.card.cvc'),
    errors,
  ]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `textsKey` stands for all texts
  useEffect(() => {
    if (!shown) return;
    card.show({
      labels: {
        number: t('order.card.number'),
        expiry: t('order.card.expiry'),
        cvc: t('order.card.cvc'),
      },
      errors,
      language: languages[shownLanguage.get()].tag,
      theme,
    });
  }, [shown, textsKey, theme, card.attempt]);

  return (
    <Stack>
      {card.status === 'failed' && <LoadError error={new Fault()} onRetry={card.retry} />}
      <ForeignDocument
        key={card.attempt}
        ref={card.frame}
        place={place}
        src={needed ? paymentPageUrl() : undefined}
        title={t('order.payment.title')}
        height={card.height}
        covers={card.asking}
        anchors={cardFields.map(field => ({ id: cardFieldId(field), onFocus: () => card.focus(field) }))}
        meanwhile={
          !shown &&
          card.status !== 'failed' && (
            <Stack>
              <FieldOutline label={t('order.card.number')} />
              <Grid min="8rem" gap={4}>
                <FieldOutline label={t('order.card.expiry')} />
                <FieldOutline label={t('order.card.cvc')} />
              </Grid>
            </Stack>
          )
        }
        busy={cardFields.some(field => !card.fields[field].ready)}
      />
    </Stack>
  );
}
