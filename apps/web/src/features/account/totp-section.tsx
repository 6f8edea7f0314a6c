import { Alert } from '@fixpoint/ui/alert.tsx';
import { Button } from '@fixpoint/ui/button.tsx';
import { Cluster, Section } from '@fixpoint/ui/layout.tsx';
import { useFocusAfter } from '@fixpoint/ui/lib/focus-after.ts';
import { Problem } from '@fixpoint/web-client/problem.tsx';
import { useAction } from '@fixpoint/web-client/use-action.ts';
import { useState } from 'react';
import { api } from '../../server/api.ts';
import { queryClient } from '../../server/query.ts';
import { ConfirmButton } from '../../shop/confirm-button.tsx';
import { useText } from '../../shop/texts.ts';
import type { Profile } from './profile.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import { type TotpSecret, TotpSetUp } from './totp-set-up.tsx';

const refresh = () => queryClient.invalidateQueries({ queryKey: ['profile'] });

/** Authenticator app: set-up, recovery codes, removal (S15). */
export function TotpSection({ profile }: { profile: Profile }) {
  const t = useText();
  const [secret, setSecret] = useState<TotpSecret>();
  const [codes, setCodes] = useState<string[]>();
  const opener = useFocusAfter();
  const begin = useAction(async () => setSecret(await api.account.beginTotp({ body: {} })));
  const renew = useAction(async () => {
    setCodes((await api.account.newRecoveryCodes({ body: {} })).recoveryCodes);
    setSecret(undefined);
    await refresh();
  });
  const remove = useAction(async () => {
    await api.account.removeTotp({ body: {} });
    setSecret(undefined);
    await refresh();
  });
  const { totp, recoveryCodesLeft: count } = profile;
  // The answer with the recovery codes was lost, or went to another tab.
  const unseen = totp && secret !== undefined;
  return (
    <Section
      id="totp"
      title={t('account.totp.title')}
      lead={totp ? t('account.totp.on', { count }) : t('account.totp.off')}
    >
      <Problem error={begin.error ?? renew.error ?? remove.error} />
      {unseen && (
        <Alert type="warning" live>
          {t('account.totp.unseen')}
        </Alert>
      )}
      {codes ? (
        <RecoveryCodes codes={codes} onDone={() => opener.after(() => setCodes(undefined))} />
      ) : secret && !totp ? (
        <TotpSetUp
          secret={secret}
          onCancel={() => {
            opener.after(() => setSecret(undefined));
            void refresh();
          }}
          onSpent={refresh}
          onDone={recoveryCodes => {
            setSecret(undefined);
            setCodes(recoveryCodes);
            void refresh();
          }}
        />
      ) : (
        <Cluster>
          {totp ? (
            <>
              <Button ref={opener.ref} autoFocus={unseen} busy={renew.busy} onClick={() => renew.run()}>
                {t('account.recovery.new')}
              </Button>
              <ConfirmButton
                label={t('account.totp.turnOff')}
                busy={remove.busy}
                title={t('account.totp.turnOff.title')}
                onConfirm={() => remove.run()}
              >
                {t('account.totp.turnOff.text')}
              </ConfirmButton>
            </>
          ) : (
            <Button ref={opener.ref} busy={begin.busy} onClick={() => begin.run()}>
              {t('account.totp.setUp')}
            </Button>
          )}
        </Cluster>
      )}
    </Section>
  );
}
