import { ConfirmDialog } from '@fixpoint/ui/dialog.tsx';
import { headlineOf } from '@fixpoint/ui/lib/headline.ts';
import { useAction } from '@fixpoint/web-client/use-action.ts';
import { useRef } from 'react';
import { api } from '../../server/api.ts';
import { deviceName, refreshSubscription, type SubscriptionKey } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';

/**
 * Confirms the deletion of a key by its name. Rendered beside the list, not in the key's row, which
 * is removed before the dialog; the focus then moves to the list's headline.
 */
export function DeleteKey(props: {
  subscriptionId: string;
  of: SubscriptionKey;
  open: boolean;
  onClose: () => void;
  /** Id of the section that lists the keys. */
  listId: string;
}) {
  const t = useText();
  const { subscriptionId, of: key, open, onClose, listId } = props;
  const deleted = useRef(false);
  const remove = useAction(async () => {
    await api.subscription.deleteKey({ body: { subscriptionId, keyId: key.id } });
    deleted.current = true;
    await refreshSubscription(subscriptionId);
    onClose();
  });
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      onConfirm={() => remove.run()}
      title={t('keys.delete.title', { name: deviceName(key) })}
      confirmLabel={t('keys.delete.confirm', { name: deviceName(key) })}
      cancelLabel={t('keys.delete.keep')}
      closeLabel={t('app.close')}
      busy={remove.busy}
      danger
      focusAfter={() => (deleted.current ? headlineOf(document.getElementById(listId)!) : null)}
    >
      {t('keys.delete.text', { name: deviceName(key) })}
    </ConfirmDialog>
  );
}
