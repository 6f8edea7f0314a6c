import { AuthShell } from '@fixpoint/ui/auth-shell.tsx';
import { Page, Section, Stack } from '@fixpoint/ui/layout.tsx';
import { Logo } from '@fixpoint/ui/logo.tsx';
import { AppBar } from '@fixpoint/ui/shell.tsx';
import type { ReactNode } from 'react';
import { HomeHero } from '../features/story/home-hero.tsx';
import type { TextKey } from '../shop/texts.ts';

// The places of a text and of the language, which `src/early.ts` fills.
const say = (key: TextKey): string => `{${key}}`;
const href = (path: string): string => `#/LANGUAGE${path}`;

/**
 * What public screens show before the program runs, by path: the top bar with the mark, headline, lead. The build draws
 * it into the page (build/first-sight.ts). It must stand where the screen itself stands, so that nothing moves when the
 * program takes over.
 */
export const firstSights: Readonly<Record<string, ReactNode>> = {
  '': underTheBar(onPage(<HomeHero t={say} href={href} note="" drawn={false} />)),
  'get-started': underTheBar(
    onPage(<Section level={1} title={say('plans.title')} lead={say('plans.lead')} />),
  ),
  'what-is-vpn': underTheBar(onPage(<Section level={1} title={say('vpn.title')} lead={say('vpn.lead')} />)),
  order: underTheBar(onPage(<Section level={1} title={say('order.title')} lead={say('home.lead')} />)),
  'auth/login': underTheBar(
    <AuthShell>
      <Section
        level={1}
        title={say('login.title')}
        lead={
          <>
            <span>{say('login.new')}</span> <a href={href('/auth/sign-up')}>{say('signUp.title')}</a>
          </>
        }
      />
    </AuthShell>,
  ),
};

function underTheBar(sight: ReactNode): ReactNode {
  return (
    <>
      <AppBar logo={<Logo name="" />} />
      <main>{sight}</main>
    </>
  );
}

function onPage(sight: ReactNode): ReactNode {
  return (
    <Page>
      <Stack>{sight}</Stack>
    </Page>
  );
}
