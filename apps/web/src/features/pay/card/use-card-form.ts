import { useEffect, useRef, useState } from 'react';
import { config } from '../../../server/config.ts';
import type { CardField } from '../../../shop/card-field.ts';
import type { CardFieldState, CardLook, CardResult, FromPay, ToPay } from './card-messages.ts';

const empty: CardFieldState = { ready: false, complete: false, focused: false, wrong: undefined };
const emptyFields: Record<CardField, CardFieldState> = { number: empty, expiry: empty, cvc: empty };

/** A pay document that has not answered by then will not come. */
const PATIENCE_MS = 20_000;

const payOrigin = () => config().PAY_URL || window.location.origin;
export const payAddress = () => `${payOrigin()}/pay.html`;

/**
 * The card fields in the pay document: what is typed there never reaches this page, and neither does the provider's
 * script (S64). The caller draws the frame (`CardFields`) while a card is the way to pay.
 */
export function useCardForm() {
  const frame = useRef<HTMLIFrameElement>(null);
  const [status, setStatus] = useState<'loading' | 'listening' | 'ready' | 'failed'>('loading');
  const [fields, setFields] = useState(emptyFields);
  const [height, setHeight] = useState<number>();
  const [asking, setAsking] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const answering = useRef<PromiseWithResolvers<CardResult>>(undefined);

  const answered = (message: ToPay): Promise<CardResult> => {
    answering.current = Promise.withResolvers<CardResult>();
    send(message);
    return answering.current.promise;
  };
  const send = (message: ToPay) => frame.current?.contentWindow?.postMessage(message, payOrigin());

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt listens to another document
  useEffect(() => {
    const lost = () => {
      answering.current?.reject(new Error('the card form is not there'));
      answering.current = undefined;
    };
    const hear = (message: FromPay) => {
      if (message.kind === 'listening') {
        lost();
        setFields(emptyFields);
        setStatus('listening');
      }
      if (message.kind === 'status') setStatus(message.status);
      if (message.kind === 'height') setHeight(message.height);
      if (message.kind === 'asking') setAsking(message.asking);
      if (message.kind === 'field') {
        const { field, change } = message;
        setFields(all => ({ ...all, [field]: { ...all[field], ...change } }));
      }
      if (message.kind === 'answered') {
        if (!message.result) return lost();
        answering.current?.resolve(message.result);
        answering.current = undefined;
      }
    };
    const listen = (event: MessageEvent) => {
      if (event.source !== frame.current?.contentWindow || event.origin !== payOrigin()) return;
      hear(event.data as FromPay);
    };
    addEventListener('message', listen);
    return () => {
      removeEventListener('message', listen);
      lost();
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
    retry: () => {
      setStatus('loading');
      setAttempt(count => count + 1);
    },
    /** The frame is drawn: it is waited for. Returns what to do when it is taken away. */
    drawn(): () => void {
      const late = setTimeout(() => setStatus(now => (now === 'loading' ? 'failed' : now)), PATIENCE_MS);
      return () => {
        clearTimeout(late);
        setStatus('loading');
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
