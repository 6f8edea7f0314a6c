import { Fault } from '@fixpoint/web-client/faults.ts';
import { useEffect, useRef, useState } from 'react';
import { config } from '../../../server/config.ts';
import type { CardField } from '../../../shop/card-field.ts';
import type { CardFieldState, CardLook, CardResult, FromPay, ToPay } from './card-messages.ts';

const empty: CardFieldState = { ready: false, complete: false, focused: false, wrong: undefined };
const emptyFields: Record<CardField, CardFieldState> = { number: empty, expiry: empty, cvc: empty };

/** Timeout of the payment page, ms. */
const TIMEOUT_MS = 20_000;

type Status = 'loading' | 'listening' | 'ready' | 'failed';
/** Request to the payment page, with its pending answer. */
type PendingRequest = { message: ToPay; sent: boolean; answer: PromiseWithResolvers<CardResult> };

const payOrigin = () => config().PAY_URL || window.location.origin;
export const paymentPageUrl = () => `${payOrigin()}/pay.html`;

/**
 * Card fields in the payment page: neither card data nor the provider's script reach this page
 * (S64). The caller renders the frame (`CardFields`) while the card method is chosen.
 */
export function useCardForm() {
  const frame = useRef<HTMLIFrameElement>(null);
  const [status, setStatus] = useState<Status>('loading');
  /** Same as `status`, for callbacks of an earlier render. */
  const currentStatus = useRef<Status>('loading');
  const [fields, setFields] = useState(emptyFields);
  const [height, setHeight] = useState<number>();
  const [asking, setAsking] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const pending = useRef<PendingRequest>(undefined);

  const changeStatus = (next: Status) => {
    currentStatus.current = next;
    setStatus(next);
  };
  const retry = () => {
    changeStatus('loading');
    setAsking(false);
    setAttempt(count => count + 1);
  };
  const send = (message: ToPay) => frame.current?.contentWindow?.postMessage(message, payOrigin());

  /**
   * With a saved card, Pay may be clicked before the frame has loaded; the request waits for it.
   */
  const sendPending = () => {
    if (currentStatus.current !== 'ready' || !pending.current || pending.current.sent) return;
    pending.current.sent = true;
    send(pending.current.message);
  };
  const request = (message: ToPay): Promise<CardResult> => {
    const answer = Promise.withResolvers<CardResult>();
    pending.current = { message, sent: false, answer };
    if (currentStatus.current === 'failed') retry();
    sendPending();
    return answer.promise;
  };
  const rejectPending = () => {
    pending.current?.answer.reject(new Fault('the payment page is not there'));
    pending.current = undefined;
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt listens to a new frame
  useEffect(() => {
    /** A reloaded frame does not know earlier requests. */
    const rejectSent = () => {
      if (pending.current?.sent) rejectPending();
    };
    const handle = (message: FromPay) => {
      if (message.kind === 'listening') {
        rejectSent();
        setFields(emptyFields);
        changeStatus('listening');
      }
      if (message.kind === 'status') {
        changeStatus(message.status);
        if (message.status === 'failed') rejectPending();
        sendPending();
      }
      if (message.kind === 'height') setHeight(message.height);
      if (message.kind === 'asking') setAsking(message.asking);
      if (message.kind === 'field') {
        const { field, change } = message;
        setFields(all => ({ ...all, [field]: { ...all[field], ...change } }));
      }
      if (message.kind === 'answered') {
        if (!message.result) return rejectPending();
        pending.current?.answer.resolve(message.result);
        pending.current = undefined;
      }
    };
    const listen = (event: MessageEvent) => {
      if (event.source !== frame.current?.contentWindow || event.origin !== payOrigin()) return;
      handle(event.data as FromPay);
    };
    addEventListener('message', listen);
    return () => {
      removeEventListener('message', listen);
      rejectSent();
    };
  }, [attempt]);

  return {
    frame,
    status,
    fields,
    height,
    asking,
    /** Changes with every retry, which loads a new frame. */
    attempt,
    retry,
    /** The frame is rendered: starts its timeout. Returns the clean-up. */
    onRendered(): () => void {
      const timeout = setTimeout(() => {
        if (currentStatus.current !== 'loading') return;
        changeStatus('failed');
        rejectPending();
      }, TIMEOUT_MS);
      return () => {
        clearTimeout(timeout);
        changeStatus('loading');
      };
    },
    show: (look: CardLook) => send({ kind: 'show', look }),
    focus: (field: CardField) => {
      frame.current?.focus();
      send({ kind: 'focus', field });
    },
    /** Creates a card from the input, for the server to charge. Charges nothing. */
    make: (holder: string, email: string) => request({ kind: 'make', holder, email }),
    /** Ends the bank's dialog, if it is open, by a new frame: the provider has no call for that. */
    abandon: () => {
      if (pending.current?.message.kind === 'ask') retry();
    },
    /** 3-D Secure: resolves when the bank's dialog is over. */
    ask: (clientSecret: string) => request({ kind: 'ask', clientSecret }),
  };
}

export type CardForm = ReturnType<typeof useCardForm>;
