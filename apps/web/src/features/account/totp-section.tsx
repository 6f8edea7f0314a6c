import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../server/api.ts';
import { queryClient } from '../../server/query.ts';
import { Problem } from '../../shop/problem.tsx';
import { useText } from '../../shop/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Cluster, Section } from '../../ui/layout.tsx';
import { AskFirst } from './ask-first.tsx';
import type { Profile } from './profile.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import { type TotpSecret, TotpSetUp } from './totp-set-up.tsx';

const refresh = () => queryClient.invalidateQueries({ queryKey: ['profile'] });

/** The authenticator app: set up, recovery codes, turn off (S15). */
export function TotpSection({ profile }: { profile: Profile }) {
  const t = useText();
  const [secret, setSecret] = useState<TotpSecret>();
  const [codes, setCodes] = useState<string[]>();
  const begin = useMutation({
    mutationFn: () => api.account.beginTotp({ body: {} }),
    onSuccess: setSecret,
  });
  const renew = useMutation({
    mutationFn: () => api.account.newRecoveryCodes({ body: {} }),
    onSuccess: answer => {
      setCodes(answer.recoveryCodes);
      return refresh();
    },
  });
  const remove = useMutation({
    mutationFn: () => api.account.removeTotp({ body: {} }),
    onSuccess: refresh,
  });
  const { totp, recoveryCodesLeft: count } = profile;
  return (
    <Section
      id="totp"
      title={t('account.totp.title')}
      lead={totp ? t('account.totp.on', { count }) : t('account.totp.off')}
    >
      <Problem error={begin.error ?? renew.error ?? remove.error} />
      {codes ? (
        <RecoveryCodes codes={codes} onDone={() => setCodes(undefined)} />
      ) : secret ? (
        <TotpSetUp
          secret={secret}
          onCancel={() => setSecret(undefined)}
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
              <Button busy={renew.isPending} onClick={() => renew.mutate()}>
                {t('account.recovery.new')}
              </Button>
              <AskFirst
                label={t('account.totp.turnOff')}
                busy={remove.isPending}
                title={t('account.totp.turnOff.title')}
                onConfirm={() => remove.mutate()}
              >
                {t('account.totp.turnOff.text')}
              </AskFirst>
            </>
          ) : (
            <Button busy={begin.isPending} onClick={() => begin.mutate()}>
              {t('account.totp.setUp')}
            </Button>
          )}
        </Cluster>
      )}
    </Section>
  );
}
