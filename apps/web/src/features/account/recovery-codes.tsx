import { Alert } from '@fixpoint/ui/alert.tsx';
import { Button } from '@fixpoint/ui/button.tsx';
import { FormActions } from '@fixpoint/ui/form.tsx';
import { Grid, Stack } from '@fixpoint/ui/layout.tsx';
import { saveFile } from '@fixpoint/ui/lib/save-file.ts';
import { IconDownload } from '@fixpoint/ui/topic-icons.tsx';
import { config } from '../../server/config.ts';
import { useText } from '../../shop/texts.ts';

/** Shown once: the server stores only hashes of the codes. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const t = useText();
  const save = () =>
    saveFile(`${config().BRAND_NAME}-recovery-codes.txt`, `${codes.join('\n')}\n`, 'text/plain');
  return (
    <Stack gap={6}>
      <Alert type="warning" title={t('account.recovery.title')} live>
        {t('account.recovery.text')}
      </Alert>
      <Grid min="8rem" gap={3}>
        {codes.map(code => (
          <code key={code} className="mono">
            {code}
          </code>
        ))}
      </Grid>
      <FormActions>
        <Button autoFocus icon={<IconDownload />} onClick={save}>
          {t('account.recovery.save')}
        </Button>
        <Button variant="primary" onClick={onDone}>
          {t('account.recovery.done')}
        </Button>
      </FormActions>
    </Stack>
  );
}
