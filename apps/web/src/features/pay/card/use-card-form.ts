import { Fault } from '@fixpoint/web-client/faults.ts';
import { useEffect, useRef, useState } from 'react';
import { config } from '../../../server/config.ts';
import type { CardField } from '../../../shop/card-field.ts';
import type { CardFieldState, CardLook, CardResult, FromPay, ToPay } from './card-messages.ts';

const empty: CardFieldState = { ready: false, complete: false, focused: false, wrong: undefined };
const emptyFields: Record<CardField, CardFieldState> = { number: empty, expiry: empty, cvc: empty };

/** A pay document that has not answered by then will not come. */
const PATIENCE_MS = 20_000;

type Status = 'loading' | 'listening' | 'ready' | 'failed';
/** What the pay document is asked, and by whom it is waited for. */
type Asked = { message: ToPay; sent: boolean; answer: PromiseWithResolvers<CardResult> };

const payOrigin = () => config().PAY_URL || window.location.origin;
export const payAddress = () => `${payOrigin()}/pay.html`;

/**
 * The card fields in the pay document: what is typed there never reaches this page, and neither does the provider's
 * script (S64). The caller draws the frame (`CardFields`) while a card is the way to pay.
 */
export function useCardForm() {
  const frame = useRef<HTMLIFrameElement>(null);
  const [status, setStatus] = useState<Status>('loading');
  /** The same as it is just now, for who began to wait in an earlier drawing. */
  const present = useRef<Status>('loading');
  const [fields, setFields] = useState(emptyFields);
  const [height, setHeight] = useState<number>();
  const [asking, setAsking] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const asked = useRef<Asked>(undefined);

  const become = (next: Status) => {
    present.current = next;
    setStatus(next);
  };
  const retry = () => {
    become('loading');
    setAttempt(count => count + 1);
  };
  const send = (message: ToPay) => frame.current?.contentWindow?.postMessage(message, payOrigin());

  /** Who pays with a saved card may be quicker than the document: what it is asked waits until it is there. */
  const sendAsked = () => {
    if (present.current !== 'ready' || !asked.current || asked.current.sent) return;
    asked.current.sent = true;
    send(asked.current.message);
  };
  const answered = (message: ToPay): Promise<CardResult> => {
    const answer = Promise.withResolvers<CardResult>();
    asked.current = { message, sent: false, answer };
    if (present.current === 'failed') retry();
    sendAsked();
    return answer.promise;
  };
  const lose = () => {
    asked.current?.answer.reject(new Fault('the card form is not there'));
    asked.current = undefined;
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt listens to another document
  useEffect(() => {
    /** Another document knows nothing of what one before was asked. */
    const loseSent = () => {
      if (asked.current?.sent) lose();
    };
    const hear = (message: FromPay) => {
      if (message.kind === 'listening') {
        loseSent();
        setFields(emptyFields);
        become('listening');
      }
      if (message.kind === 'status') {
        become(message.status);
        if (message.status === 'failed') lose();
        sendAsked();
      }
      if (message.kind === 'height') setHeight(message.height);
      if (message.kind === 'asking') setAsking(message.asking);
      if (message.kind === 'field') {
        const { field, change } = message;
        setFields(all => ({ ...all, [field]: { ...all[field], ...change } }));
      }
      if (message.kind === 'answered') {
        if (!message.result) return lose();
        asked.current?.answer.resolve(message.result);
        asked.current = undefined;
      }
    };
    const listen = (event: MessageEvent) => {
      if (event.source !== frame.current?.contentWindow || event.origin !== payOrigin()) return;
      hear(event.data as FromPay);
    };
    addEventListener('message', listen);
    return () => {
      removeEventListener('message', listen);
      loseSent();
    };
  }, [attempt]);

  return {
    frame,
    status,
    fields,
    height,
    asking,
    /** Changes with every retry: the frame is another one then. */
    attempt,
    retry,
    /** The frame is drawn: it is waited for. Returns what to do when it is taken away. */
    drawn(): () => void {
      const late = setTimeout(() => {
        if (present.current !== 'loading') return;
        become('failed');
        lose();
      }, PATIENCE_MS);
      return () => {
        clearTimeout(late);
        become('loading');
      };
    },
    show: (look: CardLook) => send({ kind: 'show', look }),
    focus: (field: CardField) => {
      frame.current?.focus();
      send({ kind: 'focus', field });
    },
    /** What was typed, as a card that the server can pay by. Nothing is charged by it. */
    make: (holder: string, email: string) => answered({ kind: 'make', holder, email }),
    /** 3-D Secure: the bank's question comes and goes by itself before this answers. */
    ask: (clientSecret: string) => answered({ kind: 'ask', clientSecret }),
  };
}

export type CardForm = ReturnType<typeof useCardForm>;
