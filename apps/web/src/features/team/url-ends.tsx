import { useAllowList } from '../../shop/allow-list.ts';
import { useText } from '../../shop/texts.ts';

/**
 * Says that the URL from which firewalls read addresses ends with somebody who can see it, where there is one.
 * @param props.own it is the user who goes
 */
export function UrlEnds({ own }: { own?: boolean | undefined }) {
  const t = useText();
  return useAllowList().data?.url ? <p>{t(own ? 'team.leave.url' : 'team.remove.url')}</p> : null;
}
