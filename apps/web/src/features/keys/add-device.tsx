import { keyNameOf, keyNameRule } from '@fixpoint/contract/fields.ts';
import { Button } from '@fixpoint/ui/button.tsx';
import { RadioCards } from '@fixpoint/ui/radio-cards.tsx';
import { TextField } from '@fixpoint/ui/text-field.tsx';
import { validateWith } from '@fixpoint/web-client/forms/field-errors.ts';
import { FormFrame } from '@fixpoint/web-client/forms/form-frame.tsx';
import { useFormState } from '@fixpoint/web-client/forms/form-state.ts';
import { useState } from 'react';
import { api } from '../../server/api.ts';
import { detectDevice } from '../../shop/detect-device.ts';
import { type GuideDevice, guideDevice, guideDevices } from '../../shop/devices.ts';
import {
  isDue,
  refreshSubscription,
  type SubscriptionKey,
  type WithDevices,
} from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';

/**
 * Adds a device: its kind, preset to this one, and the name of its key, filled in with a suggestion.
 * `onAdded` continues with the set-up.
 */
export function AddDevice(props: { subscription: WithDevices; onAdded: (key: SubscriptionKey) => void }) {
  const t = useText();
  const { subscription, onAdded } = props;
  const { id: subscriptionId, keys } = subscription;
  const [kind, setKind] = useState<GuideDevice['id']>(() => guideDevice(detectDevice(navigator)).id);
  const suggest = (of: GuideDevice['id'], typed = '') =>
    keyNameOf(
      typed,
      of,
      keys.map(({ name }) => name),
    );
  const { form, ...state } = useFormState({
    defaultValues: { keyName: suggest(kind) },
    fields: ['keyName'],
    refusals: { 4000: ['keyName', 'errorCode.4000'], 4001: ['keyName', 'errorCode.4001'] },
    draft: { name: `key.${subscriptionId}`, fields: ['keyName'] },
    send: async ({ keyName: name }) => {
      const added = await api.subscription.addKey({ body: { subscriptionId, name, device: kind } });
      onAdded(added);
      await refreshSubscription(subscriptionId);
      // Only now: a reset ends the submission, and the next name is made from the refreshed list.
      form.reset({ keyName: keyNameOf('', kind, [...keys.map(key => key.name), name]) });
    },
  });
  const { error, ...field } = state.field('keyName', validateWith(keyNameRule));
  const typed = form.watch('keyName');
  const fix = suggest(kind, typed);
  return (
    <FormFrame state={state} single>
      <RadioCards
        legend={t('devices.kind')}
        name="device"
        value={kind}
        onChange={chosen => {
          setKind(chosen);
          if (typed === suggest(kind)) form.setValue('keyName', suggest(chosen));
        }}
        columns={3}
        options={guideDevices.map(({ id }) => ({ value: id, title: t(`guide.device.${id}`) }))}
      />
      <TextField
        label={t('devices.label')}
        hint={t('devices.label.hint')}
        width="m"
        mono
        beside={
          <Button
            type="submit"
            variant={keys.length === 0 && !isDue(subscription) ? 'primary' : 'secondary'}
            busy={state.busy}
          >
            {t('devices.add')}
          </Button>
        }
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...field}
        error={
          error && (
            <>
              {error}{' '}
              {typed && fix !== typed && (
                <button
                  type="button"
                  className="link"
                  onClick={() => form.setValue('keyName', fix, { shouldValidate: true })}
                >
                  {t('devices.label.use', { name: fix })}
                </button>
              )}
            </>
          )
        }
      />
    </FormFrame>
  );
}
