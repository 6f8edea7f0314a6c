import { Button } from '@fixpoint/ui/button.tsx';
import { useText } from '../shop/texts.ts';

/** Buttons of a form in a dialog, which stays while it is sent. @param props.submit text of the button that sends */
export function SendOrCancel(props: { busy: boolean; submit: string; onCancel: () => void }) {
  const t = useText();
  return (
    <>
      <Button type="submit" variant="primary" busy={props.busy}>
        {props.submit}
      </Button>
      <Button disabled={props.busy} onClick={props.onCancel}>
        {t('app.cancel')}
      </Button>
    </>
  );
}
