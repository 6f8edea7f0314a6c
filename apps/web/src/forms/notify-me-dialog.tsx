import { emailRule, normalEmail } from '@fixpoint/contract/fields.ts';
import { Alert } from '@fixpoint/ui/alert.tsx';
import { Button } from '@fixpoint/ui/button.tsx';
import { Dialog } from '@fixpoint/ui/dialog.tsx';
import { TextField } from '@fixpoint/ui/text-field.tsx';
import { validateWith } from '@fixpoint/web-client/forms/field-errors.ts';
import { FormFrame } from '@fixpoint/web-client/forms/form-frame.tsx';
import { useFormState } from '@fixpoint/web-client/forms/form-state.ts';
import { useState } from 'react';
import { api } from '../server/api.ts';
import { useText } from '../shop/texts.ts';
import { useProofAhead } from './proof-ahead.ts';

/** Asks for an address to email once when a sold-out region has a free one. */
export function NotifyMeDialog(props: {
  open: boolean;
  onClose: () => void;
  regionId: string;
  place: string;
}) {
  const t = useText();
  const { open, onClose, regionId, place } = props;
  const [sentTo, setSentTo] = useState<string>();
  const proof = useProofAhead();
  const state = useFormState({
    defaultValues: { email: '' },
    fields: ['email'],
    send: async values => {
      const email = normalEmail(values.email);
      await api.guest.askPlaceNotice({ body: { regionId, email, humanCheck: await proof.take() } });
      setSentTo(email);
    },
  });
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('place.notify.title', { place })}
      closeLabel={t('app.close')}
    >
      {sentTo ? (
        <Alert type="success" live>
          {t('place.notify.sent', { email: sentTo })}
        </Alert>
      ) : (
        <FormFrame
          state={state}
          single
          onBegin={proof.begin}
          actions={
            <Button type="submit" variant="primary" busy={state.busy}>
              {t('place.notify')}
            </Button>
          }
        >
          <TextField
            type="email"
            label={t('order.email.label')}
            hint={t('place.notify.hint')}
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
            {...state.field('email', validateWith(emailRule))}
          />
        </FormFrame>
      )}
    </Dialog>
  );
}
