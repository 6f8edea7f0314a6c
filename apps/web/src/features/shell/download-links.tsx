import { NavLink, NavLinks } from '@fixpoint/ui/shell.tsx';
import { downloads } from '../../shop/downloads.ts';
import { useText } from '../../shop/texts.ts';

/** Official OpenVPN clients as links, for the drawer. */
export function DownloadLinks() {
  const t = useText();
  return (
    <NavLinks label={t('nav.downloads')} vertical>
      {downloads.map(({ id, href }) => (
        <NavLink key={id} href={href} target="_blank" rel="noreferrer">
          {t(`download.${id}`)}
        </NavLink>
      ))}
    </NavLinks>
  );
}
