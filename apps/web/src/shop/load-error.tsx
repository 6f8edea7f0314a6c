import { Alert } from '@fixpoint/ui/alert.tsx';
import { Button } from '@fixpoint/ui/button.tsx';
import { lazyComponent } from '@fixpoint/ui/lib/chunk.ts';
import { isTransient, Refusal } from '@fixpoint/web-client/faults.ts';
import { lazy, type ReactNode, Suspense } from 'react';
import { errorMessage } from './error-message.ts';
import { useText } from './texts.ts';

const AskOwner = lazy(
  lazyComponent(
    () => import('./ask-owner.tsx'),
    of => of.AskOwner,
  ),
);

/** A retry would give the same answer: the thing does not exist or is another customer's. */
const isFinal = (error: unknown) => error instanceof Refusal && !isTransient(error) && error.status !== 429;

/** Explains why something could not be loaded, with a retry if that can help. */
export function LoadError({ error, onRetry }: { error: unknown; onRetry: () => void }): ReactNode {
  const t = useText();
  if (error instanceof Refusal && error.code === '8002')
    return (
      <Suspense fallback={null}>
        <AskOwner />
      </Suspense>
    );
  return (
    <Alert
      type="error"
      action={isFinal(error) ? undefined : <Button onClick={onRetry}>{t('app.tryAgain')}</Button>}
    >
      {errorMessage(error)}
    </Alert>
  );
}
