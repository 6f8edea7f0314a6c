import { Button } from '@fixpoint/ui/button.tsx';
import { ConfirmDialog } from '@fixpoint/ui/dialog.tsx';
import { type ReactNode, useState } from 'react';
import { useText } from './texts.ts';

/**
 * Button for an action that cannot be undone: asks for confirmation, naming the thing and the
 * consequence.
 */
export function ConfirmButton(props: {
  label: string;
  /** Accessible name that includes the thing the button stands beside. */
  fullLabel?: string;
  size?: 's';
  busy: boolean;
  title: string;
  onConfirm: () => void;
  children: ReactNode;
}) {
  const t = useText();
  const { label, fullLabel, size, busy, title, onConfirm, children } = props;
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button size={size} busy={busy} aria-label={fullLabel} onClick={() => setAsking(true)}>
        {label}
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => {
          // Closed first, because a step-up opens a dialog of its own.
          setAsking(false);
          onConfirm();
        }}
        title={title}
        confirmLabel={label}
        cancelLabel={t('app.cancel')}
        closeLabel={t('app.close')}
        danger
      >
        {children}
      </ConfirmDialog>
    </>
  );
}
