import { AuthShell } from '@fixpoint/ui/auth-shell.tsx';
import { Page, Section, Stack } from '@fixpoint/ui/layout.tsx';
import { Logo } from '@fixpoint/ui/logo.tsx';
import { AppBar } from '@fixpoint/ui/shell.tsx';
import type { ReactNode } from 'react';
import { HomeHero } from '../features/story/home-hero.tsx';
import type { TextKey } from '../shop/texts.ts';

// Placeholders for text and language, filled in by `src/early.ts`.
const say = (key: TextKey): string => `{${key}}`;
const href = (path: string): string => `#/LANGUAGE${path}`;

/**
 * Prerendered shells: top bar with the logo, headline and lead of public screens, by path. The
 * build renders them into the page (build/prerendered-shells.ts). They must match the screen's
 * layout, so that nothing moves when the program takes over.
 */
export const prerenderedShells: Readonly<Record<string, ReactNode>> = {
  '': withTopBar(onPage(<HomeHero t={say} href={href} note="" drawn={false} />)),
  'get-started': withTopBar(
    onPage(<Section level={1} title={say('plans.title')} lead={say('plans.lead')} />),
  ),
  'what-is-vpn': withTopBar(onPage(<Section level={1} title={say('vpn.title')} lead={say('vpn.lead')} />)),
  order: withTopBar(onPage(<Section level={1} title={say('order.title')} />)),
  'auth/login': withTopBar(
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

function withTopBar(content: ReactNode): ReactNode {
  return (
    <>
      <AppBar logo={<Logo name="" />} />
      <main>{content}</main>
    </>
  );
}

function onPage(content: ReactNode): ReactNode {
  return (
    <Page>
      <Stack>{content}</Stack>
    </Page>
  );
}
