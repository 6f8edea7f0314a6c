import { Footer } from '@fixpoint/ui/footer.tsx';
import { ThemeSwitch } from '@fixpoint/ui/theme-switch.tsx';
import { LegalLink } from '../features/legal/legal-link.tsx';
import { AboutLink } from '../features/shell/about-link.tsx';
import { config } from '../server/config.ts';
import { useHref } from '../shop/links.ts';
import { useText } from '../shop/texts.ts';
import { Company } from './company.tsx';

/** Fixed by W8. The product's version is that of `package.json`. */
const VERSION = '1.1.208-20250909';

export function ShopFooter() {
  const t = useText();
  const href = useHref();
  const { SUPPORT_EMAIL } = config();
  const theme = {
    group: t('nav.theme'),
    system: t('nav.theme.system'),
    light: t('nav.theme.light'),
    dark: t('nav.theme.dark'),
  };
  return (
    <Footer
      columns={[
        {
          title: t('footer.product'),
          items: [
            <a key="pricing" href={href('/get-started')}>
              {t('nav.pricing')}
            </a>,
            <a key="downloads" href={href('/what-is-vpn#how-to')}>
              {t('nav.downloads')}
            </a>,
            <a key="tutorial" href={href('/what-is-vpn#how-to')}>
              {t('footer.tutorial')}
            </a>,
            <a key="faq" href={href('/get-started#FAQ')}>
              {t('plans.faq')}
            </a>,
          ],
        },
        {
          title: t('footer.legal'),
          items: [
            <LegalLink key="terms" document="terms">
              {t('footer.terms')}
            </LegalLink>,
            <LegalLink key="policy" document="policy">
              {t('footer.privacy')}
            </LegalLink>,
          ],
        },
        {
          title: t('footer.contact'),
          items: [
            <AboutLink key="about" />,
            <a key="contact" href={href('/what-is-vpn#support')}>
              {t('footer.contactUs')}
            </a>,
            <a key="status" href={href('/status')}>
              {t('status.title')}
            </a>,
            <a key="mail" href={`mailto:${SUPPORT_EMAIL}`}>
              {SUPPORT_EMAIL}
            </a>,
          ],
        },
      ]}
      bottom={
        <>
          <Company />
          <span>{t('footer.version', { version: VERSION })}</span>
          <ThemeSwitch labels={theme} />
        </>
      }
    />
  );
}
