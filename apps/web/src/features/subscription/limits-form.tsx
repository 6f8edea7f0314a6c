import { numberOf, rateRule } from '@fixpoint/contract/fields.ts';
import { Button } from '@fixpoint/ui/button.tsx';
import { InlineField } from '@fixpoint/ui/inline-field.tsx';
import { Table } from '@fixpoint/ui/table.tsx';
import { validateWith } from '@fixpoint/web-client/forms/field-errors.ts';
import { FormFrame } from '@fixpoint/web-client/forms/form-frame.tsx';
import { useFormState } from '@fixpoint/web-client/forms/form-state.ts';
import { useId } from 'react';
import { api } from '../../server/api.ts';
import type { Bandwidth } from '../../shop/bandwidth.ts';
import { useFormat } from '../../shop/format.ts';
import { snacks } from '../../shop/snack.ts';
import { deviceName, refreshSubscription } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';

const GB = 1_000_000_000;

/**
 * Bandwidth limits of keys, in one table with their use. Sends only what was changed here: another
 * page may have changed the rest.
 */
export function LimitsForm({
  id,
  bandwidth: { keys, rateMbit: line },
}: {
  id: string;
  bandwidth: Bandwidth;
}) {
  const t = useText();
  const { number } = useFormat();
  const hint = useId();
  const { form, ...state } = useFormState<Record<string, string>>({
    defaultValues: Object.fromEntries(keys.map(key => [key.id, String(key.rateMbit ?? '')])),
    fields: keys.map(key => key.id),
    send: async limits => {
      const changed = Object.entries(limits).filter(([key]) => dirtyFields[key]);
      await api.subscription.adjustBw({
        body: {
          id,
          keys: changed.map(([key, rate]) => ({ id: key, rateMbit: rate.trim() ? numberOf(rate) : null })),
        },
      });
      // Keeps input typed during the request, still marked as unsaved.
      form.reset(limits, { keepValues: true });
      snacks.show({ type: 'success', text: t('bandwidth.saved') });
      await refreshSubscription(id);
    },
  });
  const { dirtyFields } = form.formState;
  return (
    <FormFrame
      state={state}
      single={keys.length === 1}
      actions={
        <Button type="submit" variant="primary" busy={state.busy}>
          {t('bandwidth.save')}
        </Button>
      }
    >
      <p id={hint} className="muted">
        {t('bandwidth.limit.hint', { max: number(line) })}
      </p>
      <Table
        caption={t('bandwidth.limits.title')}
        hideCaption
        rows={keys}
        rowKey={key => key.id}
        columns={[
          { key: 'device', header: t('devices.kind'), phone: 'headline', cell: deviceName },
          {
            key: 'usage',
            header: t('subscription.usage'),
            align: 'end',
            cell: ({ usageBytes }) =>
              usageBytes === undefined ? '–' : `${number(Math.round((usageBytes / GB) * 10) / 10)} GB`,
          },
          {
            key: 'limit',
            header: t('bandwidth.limit'),
            cell: ({ id: key, ...named }) => (
              <InlineField
                label={t('bandwidth.limit.label', { name: deviceName(named) })}
                hintId={hint}
                suffix="Mbit/s"
                inputMode="numeric"
                autoComplete="off"
                {...state.field(key, validateWith(rateRule(line)))}
              />
            ),
          },
        ]}
      />
    </FormFrame>
  );
}
