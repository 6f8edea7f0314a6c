import { saveFile } from '../../lib/save-file.ts';
import { config } from '../../server/config.ts';
import { useText } from '../../shop/texts.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { FormActions } from '../../ui/form.tsx';
import { Grid, Stack } from '../../ui/layout.tsx';
import { IconDownload } from '../../ui/topic-icons.tsx';

/** Shown once: the server keeps only their hashes. */
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
