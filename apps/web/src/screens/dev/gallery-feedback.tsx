import { Alert, Banner } from '@fixpoint/ui/alert.tsx';
import { Badge } from '@fixpoint/ui/badge.tsx';
import { Button } from '@fixpoint/ui/button.tsx';
import { ConfirmDialog, Dialog, Drawer } from '@fixpoint/ui/dialog.tsx';
import { EmptyState } from '@fixpoint/ui/empty-state.tsx';
import { IconGlobe } from '@fixpoint/ui/icons.tsx';
import { Cluster, Grid, Section, Stack } from '@fixpoint/ui/layout.tsx';
import { Menu, MenuSelect } from '@fixpoint/ui/menu.tsx';
import { Loading, OverlayLoader, ProgressBar, Skeleton } from '@fixpoint/ui/progress.tsx';
import { NavLink, NavLinks } from '@fixpoint/ui/shell.tsx';
import { SnackbarHost } from '@fixpoint/ui/snackbar.tsx';
import { createSnackbarStore } from '@fixpoint/ui/snackbar-store.ts';
import { StatusLabel } from '@fixpoint/ui/status.tsx';
import { IconUser } from '@fixpoint/ui/topic-icons.tsx';
import { VerdictList } from '@fixpoint/ui/verdict-list.tsx';
import { useState } from 'react';
import { FixpointSteps } from '../../features/checkout/fixpoint-steps.tsx';
import css from './gallery.module.css';
import { Sample } from './gallery-parts.tsx';

const snackbar = createSnackbarStore();
const words = { info: 'Information', success: 'Done', warning: 'Warning', error: 'Error' };

function Messages() {
  const types = ['info', 'success', 'warning', 'error'] as const;
  return (
    <Section title="Messages">
      <Grid min="20rem" gap={4}>
        {types.map(type => (
          <Alert key={type} type={type} title={`A title that says it: ${words[type]}`}>
            One sentence that says what happened and what to do next.
          </Alert>
        ))}
        <Alert type="error" action={<Button size="s">Use another card</Button>}>
          The card could not be charged. Your order is kept.
        </Alert>
      </Grid>
      <VerdictList
        items={[
          { id: 'one', title: 'Files', tone: 'good', text: 'All good.' },
          {
            id: 'two',
            title: 'Network',
            tone: 'bad',
            text: 'What is wrong.',
            repair: <Button size="s">Mend it</Button>,
          },
        ]}
      />
      <div className={css.frame}>
        <Banner type="warning">Purchases are unavailable while the system is under maintenance.</Banner>
        <Banner type="error" action={<Button size="s">Try again</Button>}>
          You’re offline. What you see may be old.
        </Banner>
      </div>
      <Sample name="state and badge">
        <Cluster gap={6}>
          <StatusLabel tone="good">Active until 12 Mar 2027</StatusLabel>
          <StatusLabel tone="warn">Last payment failed</StatusLabel>
          <StatusLabel tone="bad">Expired</StatusLabel>
          <StatusLabel tone="info">Being set up</StatusLabel>
          <StatusLabel tone="idle">Disabled</StatusLabel>
          <Badge>Most chosen</Badge>
          <Badge tone="neutral">This device</Badge>
        </Cluster>
      </Sample>
      <Sample name="snackbar: 3.3 s, waits while you point at it">
        <Cluster>
          {types.map(type => (
            <Button
              key={type}
              onClick={() =>
                snackbar.show({
                  type,
                  text: `${words[type]}: the key was added.`,
                  code: type === 'error' ? '4000' : undefined,
                })
              }
            >
              {words[type]}
            </Button>
          ))}
        </Cluster>
        <SnackbarHost store={snackbar} dismissLabel="Dismiss" typeLabel={type => words[type]} />
      </Sample>
    </Section>
  );
}

function Floating() {
  const [open, setOpen] = useState<'dialog' | 'terms' | 'confirm' | 'drawer'>();
  const [language, setLanguage] = useState('en');
  const close = () => setOpen(undefined);
  return (
    <Section title="Dialogs, drawers, menus">
      <Cluster>
        <Button onClick={() => setOpen('dialog')}>Dialog</Button>
        <Button onClick={() => setOpen('terms')}>Long dialog, 776 px</Button>
        <Button onClick={() => setOpen('confirm')}>Confirm</Button>
        <Button onClick={() => setOpen('drawer')}>Drawer</Button>
        <Menu
          label="somebody"
          icon={<IconUser />}
          items={[
            { label: 'My account', href: '#/en/_ui' },
            { label: 'Billing', href: '#/en/_ui' },
            'separator',
            {
              label: 'Log out',
              onSelect: () => snackbar.show({ type: 'info', text: 'Bye' }),
            },
          ]}
        />
        <MenuSelect
          label="Language"
          icon={<IconGlobe />}
          value={language}
          onChange={setLanguage}
          options={[
            { value: 'en', label: 'English', lang: 'en' },
            { value: 'th', label: 'ไทย', lang: 'th' },
            { value: 'mm', label: 'မြန်မာ', lang: 'my' },
            { value: 'kh', label: 'ខ្មែរ', lang: 'km' },
            { value: 'jp', label: '日本語', lang: 'ja' },
          ]}
        />
      </Cluster>
      <Dialog open={open === 'dialog'} onClose={close} title="Where to import the file" closeLabel="Close">
        <Stack>
          <p>Open the client, choose “Import profile”, and pick the file you downloaded.</p>
          <Button onClick={() => snackbar.show({ type: 'success', text: 'Heard above a dialog' })}>
            Show a snack
          </Button>
        </Stack>
      </Dialog>
      <Dialog
        open={open === 'terms'}
        onClose={close}
        title="Terms of service"
        closeLabel="Close"
        maxWidth="776px"
      >
        <Stack>
          {Array.from({ length: 24 }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: filler
            <p key={index}>
              {index + 1}. The service gives you a fixed IP address for as long as the subscription lasts.
            </p>
          ))}
        </Stack>
      </Dialog>
      <ConfirmDialog
        open={open === 'confirm'}
        onClose={close}
        onConfirm={close}
        title="Delete the key “laptop”?"
        confirmLabel="Delete key"
        cancelLabel="Keep key"
        closeLabel="Close"
        danger
      >
        The device that uses it is disconnected within seconds and its file stops working. This cannot be
        undone.
      </ConfirmDialog>
      <Drawer open={open === 'drawer'} onClose={close} title="Menu" closeLabel="Close">
        <NavLinks label="Menu" vertical>
          {[
            <NavLink key="1" href="#/en/_ui" current>
              Pricing
            </NavLink>,
            <NavLink key="2" href="#/en/_ui" icon={<IconUser />}>
              What is a VPN
            </NavLink>,
          ]}
        </NavLinks>
      </Drawer>
    </Section>
  );
}

const steps = ['Payment received', 'Host chosen', 'IP address assigned', 'Key issued', 'Connected'];

function Waiting() {
  const [done, setDone] = useState(2);
  const [active, setActive] = useState(false);
  const [covered, setCovered] = useState(false);
  const cover = () => {
    setCovered(true);
    setTimeout(setCovered, 2500, false);
  };
  return (
    <Section title="Waiting and arriving">
      <Grid min="20rem" gap={12}>
        <Sample name="fixpoint steps">
          <FixpointSteps
            label="Your connection"
            landing="203.0.113.207"
            landingLabel="Your IP address"
            steps={steps.map((label, index) => ({
              id: `step-${index}`,
              label,
              state: index < done ? 'done' : index === done ? 'running' : 'waiting',
              stateLabel: index < done ? 'done' : index === done ? 'running' : 'waiting',
              detail: index === done ? 'This takes a few seconds.' : undefined,
            }))}
          />
          <Cluster>
            <Button size="s" onClick={() => setDone((done + 1) % (steps.length + 1))}>
              Next step
            </Button>
          </Cluster>
        </Sample>
        <Sample name="arrived">
          <FixpointSteps
            label="Your other connection"
            landing="198.51.100.4"
            landingLabel="Your IP address"
            steps={steps.slice(0, 3).map((label, index) => ({
              id: `arrived-${index}`,
              label,
              state: 'done',
              stateLabel: 'done',
            }))}
          />
        </Sample>
        <Sample name="failed">
          <FixpointSteps
            label="A connection that failed"
            steps={[
              { id: 'f1', label: 'Payment received', state: 'done', stateLabel: 'done' },
              {
                id: 'f2',
                label: 'Host chosen',
                state: 'failed',
                stateLabel: 'failed',
                detail: 'No host is free. We were told.',
              },
              { id: 'f3', label: 'IP address assigned', state: 'waiting', stateLabel: 'waiting' },
            ]}
          />
        </Sample>
        <Sample name="loading, bar, overlay, skeleton">
          <Loading label="Checking your payment…" />
          <Cluster>
            <Button size="s" onClick={() => setActive(!active)}>
              Progress bar
            </Button>
            <Button size="s" onClick={cover}>
              Overlay
            </Button>
          </Cluster>
          <Skeleton label="Loading" lines={3} />
          <ProgressBar active={active} label="Loading page" />
          <OverlayLoader active={covered} label="Confirming your payment…" />
        </Sample>
      </Grid>
    </Section>
  );
}

function Nothing() {
  return (
    <Section title="Nothing here">
      <Grid min="18rem" gap={6}>
        <EmptyState title="No subscription yet" level={3} action={<Button>See the plans</Button>}>
          Choose a plan and your own IP address appears here.
        </EmptyState>
        <EmptyState
          drawing="error"
          title="Something broke on our side"
          level={3}
          action={<Button>Try again</Button>}
        >
          Nothing was charged. Reference 7f3a.
        </EmptyState>
        <EmptyState drawing="offline" title="You’re offline" level={3}>
          We try again as soon as you are back.
        </EmptyState>
        <EmptyState drawing="lost" title="This page could not be found" level={3}>
          The point is somewhere else.
        </EmptyState>
      </Grid>
    </Section>
  );
}

/** Components that give feedback, wait or float. */
export function FeedbackSamples() {
  return (
    <>
      <Messages />
      <Floating />
      <Waiting />
      <Nothing />
    </>
  );
}
