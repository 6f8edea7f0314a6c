import { numberOf, rateRule } from '@fixpoint/contract/fields.ts';
import { Button } from '@fixpoint/ui/button.tsx';
import { TextField } from '@fixpoint/ui/text-field.tsx';
import { validateWith } from '@fixpoint/web-client/forms/field-errors.ts';
import { FormFrame } from '@fixpoint/web-client/forms/form-frame.tsx';
import { useFormState } from '@fixpoint/web-client/forms/form-state.ts';
import { api } from '../../server/api.ts';
import type { Bandwidth } from '../../shop/bandwidth.ts';
import { useFormat } from '../../shop/format.ts';
import { snacks } from '../../shop/snack.ts';
import { deviceName, refreshSubscription } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';

/**
 * Bandwidth limits of keys. Sends only what was changed here: another page may have changed the
 * rest.
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
      {keys.map(({ id: key, ...named }) => (
        <TextField
          key={key}
          label={t('bandwidth.limit.label', { name: deviceName(named) })}
          hint={t('bandwidth.limit.hint', { max: number(line) })}
          suffix="Mbit/s"
          width="s"
          inputMode="numeric"
          autoComplete="off"
          {...state.field(key, validateWith(rateRule(line)))}
        />
      ))}
    </FormFrame>
  );
}
