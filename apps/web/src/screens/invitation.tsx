import { Cluster } from '@fixpoint/ui/layout.tsx';
import { useNavigate } from 'react-router';
import { JoinTeam } from '../features/auth/join-team.tsx';
import { LegalLink } from '../features/legal/legal-link.tsx';
import { usePath } from '../shop/links.ts';
import { useText } from '../shop/texts.ts';

/** `/invitation?token=`: target of the email that invites somebody to work in an account. */
export function Screen() {
  const t = useText();
  const path = usePath();
  const navigate = useNavigate();
  return (
    <JoinTeam
      documents={
        <Cluster>
          <LegalLink document="terms">{t('footer.terms')}</LegalLink>
          <LegalLink document="policy">{t('footer.privacy')}</LegalLink>
        </Cluster>
      }
      onJoined={() => navigate(path('/management/dashboard'), { replace: true })}
    />
  );
}
