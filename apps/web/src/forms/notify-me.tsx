import { Button } from '@fixpoint/ui/button.tsx';
import { lazyPart } from '@fixpoint/ui/lib/lazy-part.tsx';
import { useOpenedHere } from '../routing/opened-here.ts';
import { regionName } from '../shop/region.ts';
import { useText } from '../shop/texts.ts';

const NotifyMeDialog = lazyPart(async () => (await import('./notify-me-dialog.tsx')).NotifyMeDialog);

/** Under a sold-out region: opens the dialog that asks for an email address. */
export function NotifyMe({ region }: { region: { id: string; name: string } }) {
  const t = useText();
  const dialog = useOpenedHere();
  const place = regionName(region);
  return (
    <>
      <Button
        size="s"
        aria-haspopup="dialog"
        aria-label={t('place.notify.label', { place })}
        onClick={dialog.show}
      >
        {t('place.notify')}
      </Button>
      {dialog.used && (
        <NotifyMeDialog open={dialog.open} onClose={dialog.close} regionId={region.id} place={place} />
      )}
    </>
  );
}
