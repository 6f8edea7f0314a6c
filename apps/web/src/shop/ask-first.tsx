import { Button } from '@fixpoint/ui/button.tsx';
import { ConfirmDialog } from '@fixpoint/ui/dialog.tsx';
import { type ReactNode, useState } from 'react';
import { useText } from './texts.ts';

/** A button for what cannot be undone: asks first, in words that name the thing and what ends with it. */
export function AskFirst(props: {
  label: string;
  /** What the button says to those who do not see what it stands beside. */
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
          // Closed first: confirming who he is opens a window of its own.
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
