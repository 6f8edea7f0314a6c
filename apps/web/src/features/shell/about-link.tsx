import { lazyPart } from '@fixpoint/ui/lib/lazy-part.tsx';
import { useOpenedHere } from '../../routing/opened-here.ts';
import { useText } from '../../shop/texts.ts';

const AboutDialog = lazyPart(async () => (await import('./about-dialog.tsx')).AboutDialog);

/** Opens the about dialog. */
export function AboutLink() {
  const t = useText();
  const dialog = useOpenedHere();
  return (
    <>
      <button type="button" className="link" aria-haspopup="dialog" onClick={dialog.show}>
        {t('footer.about')}
      </button>
      {dialog.used && <AboutDialog open={dialog.open} onClose={dialog.close} />}
    </>
  );
}
