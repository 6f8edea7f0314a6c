import { Button } from '@fixpoint/ui/button.tsx';
import { Cluster } from '@fixpoint/ui/layout.tsx';
import { FormFrame } from '@fixpoint/web-client/forms/form-frame.tsx';
import type { ComponentProps } from 'react';
import { useText } from '../shop/texts.ts';

type Props = Pick<ComponentProps<typeof FormFrame>, 'state' | 'children'> & {
  /** Text of the button that sends. */
  submit: string;
  /** Called when the user cancels, by the button or by Escape. */
  onEnd: () => void;
};

/** A form of one field in the place of what it changes. */
export function FormInPlace({ state, submit, onEnd, children }: Props) {
  const t = useText();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape leaves the field inside, as in a dialog
    <div onKeyDown={event => event.key === 'Escape' && onEnd()}>
      <FormFrame
        state={state}
        single
        actions={
          <Cluster>
            <Button type="submit" variant="primary" busy={state.busy}>
              {submit}
            </Button>
            <Button onClick={onEnd}>{t('app.cancel')}</Button>
          </Cluster>
        }
      >
        {children}
      </FormFrame>
    </div>
  );
}
