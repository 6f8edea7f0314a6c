import { Accordion } from '@fixpoint/ui/accordion.tsx';
import { Button } from '@fixpoint/ui/button.tsx';
import { Cluster, Section, Stack } from '@fixpoint/ui/layout.tsx';
import type { StatusTone } from '@fixpoint/ui/status.tsx';
import { VerdictList } from '@fixpoint/ui/verdict-list.tsx';
import { useAction } from '@fixpoint/web-client/use-action.ts';
import type { ReactNode } from 'react';
import { api } from '../../server/api.ts';
import { useDueText } from '../../shop/due-text.ts';
import { useFormat } from '../../shop/format.ts';
import { useHref } from '../../shop/links.ts';
import { LoadError } from '../../shop/load-error.tsx';
import { snacks } from '../../shop/snack.ts';
import { deviceName, type SubscriptionKey, type WithDevices } from '../../shop/subscriptions.ts';
import { support } from '../../shop/support.ts';
import { useText } from '../../shop/texts.ts';
import { type Check, useDiagnosis } from './use-diagnosis.ts';

const tones: Record<Check['verdict'], StatusTone> = {
  good: 'good',
  note: 'warn',
  bad: 'bad',
  unknown: 'idle',
};

type Repairs = {
  subscription: WithDevices;
  /** Button that downloads a new file for a device. */
  file(key: SubscriptionKey, options: { smallPackets: boolean }): ReactNode;
  /** A restart interrupts the devices of everybody: not for a member. */
  mayRestart: boolean;
};

/**
 * “Why doesn’t my VPN work?”: checks of all known causes, in order, each with its fix. Closed while no device has a file: nothing
 * can be connected yet, so nothing can fail.
 */
export function Diagnosis(props: Repairs) {
  const t = useText();
  if (props.subscription.keys.every(({ validUntil }) => validUntil === undefined))
    return <Closed {...props} />;
  return (
    <Section id="why" title={t('why.title')} lead={t('why.lead')}>
      <Checks {...props} />
    </Section>
  );
}

function Closed(props: Repairs) {
  const t = useText();
  return (
    <Accordion
      level={2}
      items={[
        {
          id: 'why',
          title: t('why.title'),
          content: (
            <Stack gap={4}>
              <p>{t('why.lead')}</p>
              <Checks {...props} />
            </Stack>
          ),
        },
      ]}
    />
  );
}

function Checks(props: Repairs) {
  const t = useText();
  const { checks, works, watching, busy, error, start } = useDiagnosis(props.subscription.id);
  return (
    <Stack gap={4}>
      {error && <LoadError error={error} onRetry={start} />}
      {checks && (
        <VerdictList
          items={checks.map(check => ({
            id: check.check,
            title: t(`why.check.${check.check}`),
            tone: tones[check.verdict],
            text: <Words check={check} subscription={props.subscription} />,
            repair: <Repair {...props} check={check} look={start} />,
          }))}
        />
      )}
      <Cluster>
        {!watching && (
          <Button busy={busy} onClick={start}>
            {t(checks ? 'why.again' : 'why.look')}
          </Button>
        )}
        <p role="status" className="muted">
          {watching && <span>{t('why.watching')}</span>}
          {works && <span>{t('why.works')}</span>}
        </p>
      </Cluster>
    </Stack>
  );
}

/** Devices that a check is about, without deleted ones. */
const about = ({ keys }: WithDevices, { keyIds = [] }: Check): SubscriptionKey[] =>
  keys.filter(({ id }) => keyIds.includes(id));

type Found = { check: Check; subscription: WithDevices };

function Words(found: Found) {
  return <span>{useWords(found)}</span>;
}

function useWords({ check, subscription }: Found) {
  const t = useText();
  const { dateTime } = useFormat();
  const dueText = useDueText();
  const devices = about(subscription, check).map(deviceName).join(', ');
  const { cause, verdict } = check;
  const { openInvoice } = subscription;
  if (cause === 'suspended') return t('subscription.suspended');
  if (cause === 'owed') return openInvoice ? dueText(openInvoice) : null;
  if (cause === 'hostSilent') return t('why.hostSilent', { time: check.since ? dateTime(check.since) : '' });
  if (cause) return t(`why.${cause}`, { devices });
  if (verdict === 'unknown') return t('why.unknown');
  if (check.check === 'seen') return t('why.connected', { devices });
  return t(check.check === 'path' ? 'why.path' : 'why.good');
}

/** The fix of each cause. The compiler rejects a new cause without one. */
function Repair({
  subscription,
  check,
  file,
  mayRestart,
  look,
}: Repairs & { check: Check; look: () => void }) {
  const t = useText();
  const href = useHref();
  const { id, keys } = subscription;
  const { cause } = check;
  switch (cause) {
    case 'owed':
      return <a href={href(`/management/subscription/${id}/pay`)}>{t('renewal.payOther')}</a>;
    case 'ended':
      return <a href={href(`/order?again=${id}`)}>{t('renewal.again')}</a>;
    case 'noKey':
    case 'usedTwice':
    case 'full':
      return (
        <a href={href(`/management/subscription/${id}#keys`)}>
          {t(cause === 'full' ? 'care.file.action' : 'devices.add')}
        </a>
      );
    case 'noFile':
    case 'fileEnded':
    case 'fileOutdated':
      return <Files keys={about(subscription, check)} file={file} />;
    case 'unknownKey':
    case 'refused':
      return <Files keys={keys} file={file} />;
    case 'pathOrClock':
      return <Files keys={keys} file={file} smallPackets />;
    case 'serverDown':
    case 'nothingSeen':
      return mayRestart ? <Restart id={id} /> : <p>{t('why.restart.ask')}</p>;
    case 'clockOff':
      return (
        <Cluster>
          <Button size="s" onClick={look}>
            {t('why.clockSet')}
          </Button>
        </Cluster>
      );
    // The customer cannot fix these, so the link leads to support.
    case 'suspended':
    case 'notSetUp':
    case 'hostMoving':
    case 'hostSilent':
      return <a href={`mailto:${support().email}?subject=${encodeURIComponent(id)}`}>{t('why.ask')}</a>;
    // The text refers to the checks below, which have the fix.
    case 'unanswered':
    // The page watches these by itself.
    case 'settingUp':
    case 'justConnected':
    case 'noAnswer':
      return null;
    case undefined:
      return check.check === 'path' && check.verdict === 'good' ? (
        <Files keys={keys} file={file} smallPackets />
      ) : null;
    default:
      return cause satisfies never;
  }
}

const Files = (props: {
  keys: readonly SubscriptionKey[];
  file: Repairs['file'];
  smallPackets?: boolean;
}) => (
  <Cluster>{props.keys.map(key => props.file(key, { smallPackets: props.smallPackets === true }))}</Cluster>
);

/** Restarts the server process of this subscription; others are not affected. */
function Restart({ id }: { id: string }) {
  const t = useText();
  const restart = useAction(async () => {
    await api.subscription.restartServer({ body: { id } });
    snacks.show({ type: 'success', text: t('why.restarted') });
  });
  return (
    <Cluster>
      <Button size="s" busy={restart.busy} onClick={() => restart.run()}>
        {t('why.restart')}
      </Button>
    </Cluster>
  );
}
