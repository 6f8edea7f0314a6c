import { Dialog } from '@fixpoint/ui/dialog.tsx';
import { Stack } from '@fixpoint/ui/layout.tsx';
import { config } from '../../server/config.ts';
import { useText } from '../../shop/texts.ts';

/** The operator and how to reach them, at most 776 px wide. */
export function AboutDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useText();
  const { BRAND_NAME, SUPPORT_EMAIL } = config();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('footer.about')}
      closeLabel={t('app.close')}
      maxWidth="776px"
    >
      <Stack>
        <p>{t('about.text', { brand: BRAND_NAME })}</p>
        <p>{t('about.reach', { email: SUPPORT_EMAIL })}</p>
      </Stack>
    </Dialog>
  );
}
