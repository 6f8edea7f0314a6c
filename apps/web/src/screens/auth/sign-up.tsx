import { Cluster } from '@fixpoint/ui/layout.tsx';
import { SignUp } from '../../features/auth/sign-up.tsx';
import { LegalLink } from '../../features/legal/legal-link.tsx';
import { useText } from '../../shop/texts.ts';

export function Screen() {
  const t = useText();
  const documents = (
    <Cluster>
      <LegalLink document="terms">{t('footer.terms')}</LegalLink>
      <LegalLink document="policy">{t('footer.privacy')}</LegalLink>
    </Cluster>
  );
  return <SignUp documents={documents} />;
}
