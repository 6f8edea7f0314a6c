import '@fixpoint/ui/global.css';
import './foreign-document.css';
import type { PublicConfig } from '@fixpoint/contract/config.ts';
import { FieldHolder } from '@fixpoint/ui/field-holder.tsx';
import { Grid, Stack } from '@fixpoint/ui/layout.tsx';
import { useEffect, useLayoutEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { loadConfig } from '../../../server/config.ts';
import { type CardField, cardFieldId } from '../../../shop/card-field.ts';
import type { CardFieldState, CardLook, CardResult, FromPay, ToPay } from './card-messages.ts';
import { type MountedFields, mountCardFields } from './card-mount.ts';

/*
 * The payment page (`/pay.html`): the provider's script and fields, in a frame of the order page.
 * It exchanges messages with the page that embeds it and nobody else, and knows of customer and
 * order only what it is sent.
 */
const root = document.getElementById('card')!;
let mounted: Promise<MountedFields> | undefined;

function Fields({ look, send }: { look: CardLook; send: (message: FromPay) => void }) {
  const [fields, setFields] = useState<Partial<Record<CardField, Partial<CardFieldState>>>>({});
  // biome-ignore lint/correctness/useExhaustiveDependencies: mounts the fields once, into the first render
  useEffect(() => {
    const change = (field: CardField, part: Partial<CardFieldState>) => {
      setFields(all => ({ ...all, [field]: { ...all[field], ...part } }));
      send({ kind: 'field', field, change: part });
    };
    mounted = mountCardFields(look.language, change);
    mounted.then(
      () => send({ kind: 'status', status: 'ready' }),
      () => send({ kind: 'status', status: 'failed' }),
    );
  }, []);

  // Runs here, because a frame out of view is not laid out and would jump when scrolled to.
  useLayoutEffect(() => sendHeight(send));

  const holder = (field: CardField) => (
    <FieldHolder
      id={cardFieldId(field)}
      label={look.labels[field]}
      error={look.errors[field]}
      busy={!fields[field]?.ready}
      focused={fields[field]?.focused}
      onFocus={() => void focus(field)}
    />
  );
  return (
    <Stack>
      {holder('number')}
      <Grid min="8rem" gap={4}>
        {holder('expiry')}
        {holder('cvc')}
      </Grid>
    </Stack>
  );
}

function sendHeight(send: (message: FromPay) => void): void {
  // While the bank asks, the frame covers the page, so its height means nothing.
  if (root.style.visibility === 'hidden') return;
  send({ kind: 'height', height: Math.ceil(root.getBoundingClientRect().height) });
}

const focus = async (field: CardField) => (await mounted)?.focus(field);

function listen(shop: Window, { SHOP_ORIGINS }: PublicConfig) {
  const react = createRoot(root);
  // The content security policy restricts who may embed this page; messages are restricted to the
  // same origins.
  let origin: string | undefined;
  const send = (message: FromPay) => {
    for (const target of origin ? [origin] : SHOP_ORIGINS) shop.postMessage(message, target);
  };
  const answer = async (work: (fields: MountedFields) => Promise<CardResult>) => {
    const fields = await mounted?.catch(() => undefined);
    const result = fields && (await work(fields).catch(() => undefined));
    send({ kind: 'answered', result });
  };
  const handle = async (message: ToPay) => {
    if (message.kind === 'show') {
      const { language, theme } = message.look;
      document.documentElement.lang = language;
      if (theme) document.documentElement.dataset.theme = theme;
      else delete document.documentElement.dataset.theme;
      react.render(<Fields look={message.look} send={send} />);
    }
    if (message.kind === 'focus') await focus(message.field);
    if (message.kind === 'make') await answer(fields => fields.make(message));
    if (message.kind === 'ask') {
      // Behind the bank's dialog the shop is visible, not a second set of fields.
      const asking = (on: boolean) => {
        root.style.visibility = on ? 'hidden' : '';
        send({ kind: 'asking', asking: on });
      };
      asking(true);
      await answer(fields => fields.ask(message.clientSecret));
      asking(false);
    }
  };
  addEventListener('message', event => {
    if (event.source !== shop || !SHOP_ORIGINS.includes(event.origin)) return;
    origin ??= event.origin;
    if (event.origin === origin) void handle(event.data as ToPay).catch(() => undefined);
  });
  new ResizeObserver(() => sendHeight(send)).observe(root);
  send({ kind: 'listening' });
}

// Opened on its own, the page has nobody to talk to and stays empty.
if (window.parent !== window) void loadConfig().then(config => listen(window.parent, config));
