import { cancelReasons } from '@fixpoint/contract/cancel-reasons.ts';
import { Checkbox } from '@fixpoint/ui/checkbox.tsx';
import { ConfirmDialog } from '@fixpoint/ui/dialog.tsx';
import { Stack } from '@fixpoint/ui/layout.tsx';
import { TextField } from '@fixpoint/ui/text-field.tsx';
import { Refusal } from '@fixpoint/web-client/faults.ts';
import { shownError } from '@fixpoint/web-client/forms/field-errors.ts';
import { useAction } from '@fixpoint/web-client/use-action.ts';
import { useState } from 'react';
import { api } from '../../server/api.ts';
import { refreshSubscription } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';

type Props = {
  /** `overdue`: its last day is over, so it ends at once. */
  subscription: { id: string; lastDay: string; overdue: boolean };
  open: boolean;
  onClose: () => void;
};

/** Says how long the VPN works and asks for reasons. The answer is optional. */
export function TurnOffDialog({ subscription, open, onClose }: Props) {
  const t = useText();
  const { id, lastDay, overdue } = subscription;
  const [reasons, setReasons] = useState<(typeof cancelReasons)[number][]>([]);
  const [comment, setComment] = useState('');
  const turnOff = useAction(async () => {
    const text = comment.trim();
    await api.subscription.cancelSubscription({
      body: { id, reasons, ...(text && { comment: text }) },
    });
    onClose();
    await refreshSubscription(id);
  });
  const refused = turnOff.error instanceof Refusal ? turnOff.error.fields.comment : undefined;
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      onConfirm={() => turnOff.run()}
      title={t(overdue ? 'renewal.ask.titleNow' : 'renewal.ask.title')}
      confirmLabel={t(overdue ? 'renewal.ask.endNow' : 'renewal.turnOff')}
      cancelLabel={t('renewal.ask.keep')}
      closeLabel={t('app.close')}
      busy={turnOff.busy}
    >
      <Stack gap={4}>
        <p>{t(overdue ? 'renewal.ask.textNow' : 'renewal.ask.text', { date: lastDay })}</p>
        <fieldset>
          <legend>{t('renewal.ask.reasons')}</legend>
          <Stack gap={2}>
            {cancelReasons.map(reason => (
              <Checkbox
                key={reason}
                name="reason"
                value={reason}
                label={t(`renewal.reason.${reason}`)}
                checked={reasons.includes(reason)}
                onChange={({ target }) =>
                  setReasons(target.checked ? [...reasons, reason] : reasons.filter(one => one !== reason))
                }
              />
            ))}
          </Stack>
        </fieldset>
        {reasons.includes('other') && (
          <TextField
            label={t('renewal.ask.comment')}
            name="comment"
            maxLength={1000}
            error={shownError(t, { message: refused })}
            value={comment}
            onChange={({ target }) => setComment(target.value)}
          />
        )}
      </Stack>
    </ConfirmDialog>
  );
}
