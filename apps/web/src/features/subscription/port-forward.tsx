import { numberOf, portRule } from '@fixpoint/contract/fields.ts';
import { Alert } from '@fixpoint/ui/alert.tsx';
import { Button } from '@fixpoint/ui/button.tsx';
import { Copyable } from '@fixpoint/ui/copyable.tsx';
import { Section, Stack } from '@fixpoint/ui/layout.tsx';
import { Select } from '@fixpoint/ui/select.tsx';
import { SummaryList } from '@fixpoint/ui/summary-list.tsx';
import { TextField } from '@fixpoint/ui/text-field.tsx';
import { validateWith } from '@fixpoint/web-client/forms/field-errors.ts';
import { FormFrame } from '@fixpoint/web-client/forms/form-frame.tsx';
import { useFormState } from '@fixpoint/web-client/forms/form-state.ts';
import { useAction } from '@fixpoint/web-client/use-action.ts';
import { api } from '../../server/api.ts';
import { snacks } from '../../shop/snack.ts';
import { deviceName, refreshSubscription, type SubscriptionDetail } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';

type Props = { subscription: SubscriptionDetail };
type Forward = NonNullable<SubscriptionDetail['forward']>;

/**
 * The forwarded port of the fixed IP, closed until the customer opens it. Only for plans that
 * include it.
 */
export function PortForward({ subscription }: Props) {
  const t = useText();
  const { allowedActions, forward, keys } = subscription;
  if (!allowedActions.includes('forwardPort')) return null;
  return (
    <Section title={t('forward.title')} lead={t('forward.lead')}>
      <Stack gap={6}>
        {keys.length === 0 ? (
          <p>{t('keys.empty.text')}</p>
        ) : (
          <>
            <Alert type="warning">{t('forward.warning')}</Alert>
            {forward ? (
              <Open subscription={subscription} forward={forward} />
            ) : (
              // Adding or deleting a key resets the form.
              <Closed key={keys.map(key => key.id).join()} subscription={subscription} />
            )}
          </>
        )}
      </Stack>
    </Section>
  );
}

async function send(id: string, forward: Forward | null): Promise<void> {
  await api.subscription.forwardPort({ body: { id, forward } });
  await refreshSubscription(id);
}

function Open({ subscription, forward }: Props & { forward: Forward }) {
  const t = useText();
  const { id, address, keys } = subscription;
  const device = keys.find(key => key.id === forward.keyId);
  const close = useAction(async () => {
    await send(id, null);
    snacks.show({ type: 'success', text: t('forward.closed') });
  });
  return (
    <>
      <SummaryList
        rows={[
          {
            term: t('forward.reach'),
            value: (
              <Copyable
                value={`${address}:${forward.port}`}
                label={t('forward.reach')}
                copyLabel={t('app.copy')}
                copiedLabel={t('app.copied')}
              />
            ),
          },
          { term: t('forward.device'), value: device && deviceName(device) },
        ]}
      />
      <p>
        <Button busy={close.busy} onClick={() => close.run()}>
          {t('forward.close')}
        </Button>
      </p>
    </>
  );
}

function Closed({ subscription: { id, keys } }: Props) {
  const t = useText();
  const state = useFormState({
    defaultValues: { port: '', keyId: keys[0]!.id },
    fields: ['port', 'keyId'],
    // Error codes of nested fields of the call.
    refusals: { 7004: ['port', 'form.port.taken'], 6005: ['keyId', 'errorCode.6005'] },
    send: async ({ port, keyId }) => {
      await send(id, { port: numberOf(port), keyId });
      snacks.show({ type: 'success', text: t('forward.opened') });
    },
  });
  return (
    <FormFrame
      state={state}
      actions={
        <Button type="submit" busy={state.busy}>
          {t('forward.open')}
        </Button>
      }
    >
      <TextField
        label={t('forward.port')}
        hint={t('forward.port.hint')}
        width="s"
        inputMode="numeric"
        autoComplete="off"
        {...state.field('port', validateWith(portRule))}
      />
      <Select
        label={t('forward.device')}
        width="m"
        options={keys.map(key => ({ value: key.id, label: deviceName(key) }))}
        {...state.field('keyId', () => true)}
      />
    </FormFrame>
  );
}
