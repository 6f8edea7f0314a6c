import { Alert } from '@fixpoint/ui/alert.tsx';
import { Button } from '@fixpoint/ui/button.tsx';
import { isPassing, Refusal } from '@fixpoint/web-client/faults.ts';
import type { ReactNode } from 'react';
import { errorWords } from './error-words.ts';
import { type TextKey, useText } from './texts.ts';

/** Asked again, the same answer would come: what was asked for is not there, or not this customer's. */
const isFinal = (error: unknown) => error instanceof Refusal && !isPassing(error) && error.status !== 429;

/**
 * Why something could not be shown, and a way to ask again where that can help.
 * @param props.missing what is said of a thing that is not there, where the code's own words are about another thing
 */
export function LoadError(props: { error: unknown; onRetry: () => void; missing?: TextKey }): ReactNode {
  const { error, onRetry, missing } = props;
  const t = useText();
  return (
    <Alert
      type="error"
      action={isFinal(error) ? undefined : <Button onClick={onRetry}>{t('app.tryAgain')}</Button>}
    >
      {missing && isFinal(error) ? t(missing) : errorWords(error)}
    </Alert>
  );
}
