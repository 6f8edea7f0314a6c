import { buttonClass } from '@fixpoint/ui/button.tsx';
import { Page, Section, Stack } from '@fixpoint/ui/layout.tsx';
import { useSettled } from '@fixpoint/ui/lib/settled.ts';
import { useDeferredValue } from 'react';
import { Questions } from '../features/plans/questions.tsx';
import { FixedIpUses } from '../features/story/fixed-ip.tsx';
import { HomeHero } from '../features/story/home-hero.tsx';
import { HowItWorks } from '../features/story/how-it-works.tsx';
import { PriceFrom } from '../features/story/price-from.tsx';
import { Promises } from '../features/story/promises.tsx';
import { Regions } from '../features/story/regions.tsx';
import { usePlaces, usePlans } from '../shop/catalog.ts';
import { useHref } from '../shop/links.ts';
import { useText } from '../shop/texts.ts';

/** Home page: uses, promises with what backs them, how it works, where, and the lowest price. */
export function Screen() {
  const t = useText();
  const href = useHref();
  const plans = usePlans();
  const places = usePlaces();
  // Content below the hero renders later in pieces, so that the page stays responsive.
  const below = useDeferredValue(true, false);
  const found = useDeferredValue(places.data);
  const from = plans.data && <PriceFrom plans={plans.data.plans} />;
  return (
    <Page>
      <Stack gap={24}>
        <HomeHero t={t} href={href} note={from ?? ''} settled={useSettled()} />
        {below && (
          <>
            <Section size="l" title={t('vpn.fixed')}>
              <FixedIpUses />
            </Section>
            <Section size="l" title={t('home.promises')} lead={t('home.promise.behind')}>
              <Promises />
            </Section>
            <Section size="l" title={t('home.how')}>
              <HowItWorks />
            </Section>
            {found && (
              <Section size="l" title={t('home.regions')} lead={t('home.regions.lead')}>
                <Regions places={found} />
              </Section>
            )}
            <Section
              size="l"
              title={t('plans.faq')}
              actions={<a href={href('/get-started#FAQ')}>{t('home.questions.all')}</a>}
            >
              <Questions ids={['fixed', 'start', 'logs', 'cancel']} />
            </Section>
            <Section
              size="l"
              tone="sunken"
              title={t('home.end')}
              lead={from}
              actions={
                <a className={buttonClass({ variant: 'primary', size: 'l' })} href={href('/get-started')}>
                  {t('plans.compare')}
                </a>
              }
            />
          </>
        )}
      </Stack>
    </Page>
  );
}
