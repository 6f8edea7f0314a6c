import { buttonClass } from '@fixpoint/ui/button.tsx';
import type { ReactNode } from 'react';
import type { Translate } from '../../shop/texts.ts';
import { Hero } from './hero.tsx';

/**
 * Top of the home page. Must not use hooks: the build renders it as part of the prerendered shell
 * (app/prerendered-shells.tsx).
 */
export function HomeHero(props: {
  t: Translate;
  href: (path: string) => string;
  note: ReactNode;
  drawn?: boolean;
  settled?: boolean;
}) {
  const { t, href, note, drawn } = props;
  return (
    <Hero
      title={t('home.title')}
      lead={t('home.lead')}
      uses={t('home.uses')}
      actions={
        <>
          <a className={buttonClass({ variant: 'primary', size: 'l' })} href={href('/get-started')}>
            {t('home.start')}
          </a>
          <a href={href('/what-is-vpn')}>{t('vpn.title')}</a>
        </>
      }
      note={note}
      settled={props.settled}
      drawing={
        drawn === false
          ? undefined
          : {
              cafe: t('home.hero.cafe'),
              home: t('home.hero.home'),
              phone: t('home.hero.phone'),
              always: t('home.hero.always'),
            }
      }
    />
  );
}
