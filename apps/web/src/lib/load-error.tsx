import type { ReactNode } from 'react';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { codeOf } from './faults.ts';
import { errorText, useText } from './texts.ts';

/** Why something could not be shown, and a way to ask again. */
export function LoadError({ error, onRetry }: { error: unknown; onRetry: () => void }): ReactNode {
  const t = useText();
  return (
    <Alert type="error" action={<Button onClick={onRetry}>{t('app.tryAgain')}</Button>}>
      {errorText(codeOf(error))}
    </Alert>
  );
}
