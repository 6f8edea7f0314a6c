import { useAllowList } from '../../shop/allow-list.ts';
import { useText } from '../../shop/texts.ts';

/** Says that the URL from which firewalls read addresses ends with somebody who can see it, where there is one. */
export function UrlEnds() {
  const t = useText();
  return useAllowList().data?.url ? <p>{t('team.remove.url')}</p> : null;
}
