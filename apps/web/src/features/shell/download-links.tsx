import { NavLink, NavLinks } from '@fixpoint/ui/shell.tsx';
import { downloads } from '../../shop/downloads.ts';
import { useText } from '../../shop/texts.ts';

/** The official OpenVPN clients, one below the other: the drawer's download menu. */
export function DownloadLinks() {
  const t = useText();
  return (
    <NavLinks label={t('nav.downloads')} vertical>
      {downloads.map(({ id, label, href }) => (
        <NavLink key={id} href={href} target="_blank" rel="noreferrer">
          {t(label)}
        </NavLink>
      ))}
    </NavLinks>
  );
}
