import { Button, IconButton, LinkButton } from '@fixpoint/ui/button.tsx';
import { Footer } from '@fixpoint/ui/footer.tsx';
import { DashboardShell, SideNav } from '@fixpoint/ui/frames.tsx';
import { IconGlobe, IconMenu } from '@fixpoint/ui/icons.tsx';
import { Page, Section, Stack } from '@fixpoint/ui/layout.tsx';
import { Logo } from '@fixpoint/ui/logo.tsx';
import { AppBar, NavLink, NavLinks, SkipLink } from '@fixpoint/ui/shell.tsx';
import { ThemeSwitch } from '@fixpoint/ui/theme-switch.tsx';
import { Hero } from '../../features/story/hero.tsx';
import css from './gallery.module.css';
import { ContentSamples } from './gallery-content.tsx';
import { FeedbackSamples } from './gallery-feedback.tsx';
import { FormSamples } from './gallery-forms.tsx';
import { Foundations } from './gallery-foundations.tsx';

const home = '#/en/_ui';

/** Every component in all its states, in the theme and at the width of the window. Development only. */
export function UiGallery() {
  return (
    <>
      <SkipLink target="main">Skip to content</SkipLink>
      <AppBar
        logo={
          <a href={home}>
            <Logo name="Fixpoint" />
          </a>
        }
        nav={
          <NavLinks label="Main">
            {[
              <NavLink key="1" href={home}>
                What is a VPN
              </NavLink>,
              <NavLink key="2" href={home} current>
                Pricing
              </NavLink>,
            ]}
          </NavLinks>
        }
        actions={
          <>
            <ThemeSwitch labels={{ group: 'Theme', system: 'As the system', light: 'Light', dark: 'Dark' }} />
            <LinkButton href={home}>Log in</LinkButton>
          </>
        }
        menuButton={
          <>
            <LinkButton href={home}>Log in</LinkButton>
            <IconButton label="Menu" icon={<IconMenu />} />
          </>
        }
      />
      <main id="main" tabIndex={-1}>
        <Page>
          <Hero
            eyebrow="VPN with an IP address of your own"
            title="The one address that stays."
            lead="A fixed IP address in the region you choose, on all your devices. No logs, unlimited bandwidth."
            actions={
              <>
                <Button variant="primary" size="l">
                  Choose a plan
                </Button>
                <Button variant="quiet" size="l">
                  How it works
                </Button>
              </>
            }
          />
          <Stack gap={16}>
            <Foundations />
            <FormSamples />
            <FeedbackSamples />
            <ContentSamples />
            <Section title="Shells">
              <div className={css.frame}>
                <DashboardShell
                  side={
                    <SideNav
                      label="Account"
                      items={[
                        { href: '#/en/_ui?1', label: 'My account', number: 1 },
                        { href: '#/en/_ui?2', label: 'Subscription', number: 2, current: true },
                        { href: '#/en/_ui?3', label: 'Billing and payment methods', number: 3 },
                      ]}
                    />
                  }
                >
                  <Section title="Subscription" level={2} lead="Everything about your address." />
                </DashboardShell>
              </div>
            </Section>
          </Stack>
        </Page>
      </main>
      <div style={{ marginTop: 'var(--section)' }}>
        <Footer
          columns={[
            {
              title: 'Product',
              items: [
                <a key="1" href={home}>
                  Pricing
                </a>,
                <a key="2" href={home}>
                  Downloads
                </a>,
              ],
            },
            {
              title: 'Help',
              items: [
                <a key="1" href={home}>
                  Tutorial
                </a>,
                <a key="2" href={home}>
                  Questions
                </a>,
              ],
            },
            {
              title: 'Company',
              items: [
                <a key="1" href={home}>
                  About us
                </a>,
                <button key="2" type="button">
                  Terms of service
                </button>,
              ],
            },
          ]}
          bottom={
            <>
              <span>© 2026 Fixpoint</span>
              <span>
                <IconGlobe /> Bangkok
              </span>
            </>
          }
        />
      </div>
    </>
  );
}
