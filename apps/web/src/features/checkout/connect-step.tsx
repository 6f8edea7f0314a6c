import { LinkButton } from '@fixpoint/ui/button.tsx';
import { Cluster, Stack } from '@fixpoint/ui/layout.tsx';
import { useHref } from '../../shop/links.ts';
import { useText } from '../../shop/texts.ts';

/** The last step of every buyer, as an item of `Steps`: import the file, with the app. */
export function useConnectStep() {
  const t = useText();
  const href = useHref();
  return {
    id: 'connect',
    title: t('guide.connect'),
    content: (
      <Stack gap={3}>
        <p>{t('success.import')}</p>
        <Cluster>
          <LinkButton size="s" href={href('/what-is-vpn#how-to')}>
            {t('guide.install')}
          </LinkButton>
        </Cluster>
      </Stack>
    ),
  };
}
