import { tabStore } from './storage.ts';

/*
 * What one window knows of itself alone, told to another window of the same browser that asks for it by name. Nothing of
 * it is kept beyond the windows that are open.
 */
type Message = { ask: string } | { answer: string; value: string };

/** The longest that another window may take; one in the background is slow, one that is not there never answers. */
const PATIENCE_MS = 1500;

const CHANNEL = 'fixpoint.tabs';

/** Tells other windows what this one keeps under names that begin so. */
export function answerOtherTabs(prefix: string): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (!('ask' in data) || !data.ask.startsWith(prefix)) return;
    const value = tabStore.read(data.ask);
    if (value !== undefined) channel.postMessage({ answer: data.ask, value } satisfies Message);
  };
}

/** What another window keeps under a name; undefined when none is there that does. */
export function askOtherTabs(key: string): Promise<string | undefined> {
  const channel = new BroadcastChannel(CHANNEL);
  const answer = new Promise<string | undefined>(resolve => {
    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if ('answer' in data && data.answer === key) resolve(data.value);
    };
    channel.postMessage({ ask: key } satisfies Message);
    setTimeout(resolve, PATIENCE_MS);
  });
  return answer.finally(() => channel.close());
}
