import { DEVICE_LABEL_MAX, deviceLabelRule, keyNameOf } from '@fixpoint/contract/fields.ts';
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
  refreshSubscription,
  type SubscriptionDetail,
  type SubscriptionKey,
} from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';

/**
 * Adds a device: its kind, preset to this one, and an optional label from which the key's name is
 * made. `onAdded` continues with the set-up.
 */
export function AddDevice(props: {
  subscription: SubscriptionDetail;
  onAdded: (key: SubscriptionKey) => void;
}) {
  const t = useText();
  const { subscription, onAdded } = props;
  const { id: subscriptionId, keys } = subscription;
  const [kind, setKind] = useState<GuideDevice['id']>(() => guideDevice(detectDevice(navigator)).id);
  const { form, ...state } = useFormState({
    defaultValues: { label: '' },
    fields: ['label'],
    refusals: { 4000: ['label', 'errorCode.4000'], 4001: ['label', 'errorCode.4001'] },
    draft: { name: `key.${subscriptionId}`, fields: ['label'] },
    send: async ({ label }) => {
      const taken = keys.map(({ name }) => name);
      const added = await api.subscription.addKey({
        body: {
          subscriptionId,
          name: keyNameOf(label, kind, taken),
          device: kind,
          ...(label.trim() && { label: label.trim() }),
        },
      });
      onAdded(added);
      await refreshSubscription(subscriptionId);
      // Only now: a reset ends the submission, and the next name is made from the refreshed list.
      form.reset({ label: '' });
    },
  });
  return (
    <FormFrame state={state} single>
      <RadioCards
        legend={t('devices.kind')}
        name="device"
        value={kind}
        onChange={setKind}
        columns={3}
        options={guideDevices.map(({ id }) => ({ value: id, title: t(`guide.device.${id}`) }))}
      />
      <TextField
        label={t('devices.label')}
        hint={t('devices.label.hint')}
        optional={t('devices.label.optional')}
        width="m"
        beside={
          <Button type="submit" variant={keys.length === 0 ? 'primary' : 'secondary'} busy={state.busy}>
            {t('devices.add')}
          </Button>
        }
        maxLength={DEVICE_LABEL_MAX}
        autoComplete="off"
        {...state.field('label', validateWith(deviceLabelRule))}
      />
    </FormFrame>
  );
}
