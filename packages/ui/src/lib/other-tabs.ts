import { tabStore } from './storage.ts';

/*
 * Lets one window ask others of the same browser for a value of their session storage. Nothing is
 * stored beyond the open windows.
 */
type Message = { ask: string } | { answer: string; value: string };

/**
 * Timeout for an answer. A window in the background is slow; one that is not there never answers.
 */
const TIMEOUT_MS = 1500;

const CHANNEL = 'fixpoint.tabs';

/** Answers other windows for keys with this prefix. */
export function answerOtherTabs(prefix: string): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (!('ask' in data) || !data.ask.startsWith(prefix)) return;
    const value = tabStore.read(data.ask);
    if (value !== undefined) channel.postMessage({ answer: data.ask, value } satisfies Message);
  };
}

/** The value of a key in another window; undefined if none answers in time. */
export function askOtherTabs(key: string): Promise<string | undefined> {
  const channel = new BroadcastChannel(CHANNEL);
  const answer = new Promise<string | undefined>(resolve => {
    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if ('answer' in data && data.answer === key) resolve(data.value);
    };
    channel.postMessage({ ask: key } satisfies Message);
    setTimeout(resolve, TIMEOUT_MS);
  });
  return answer.finally(() => channel.close());
}
