import type { AlertChannel, AlertMessage } from '../../ports/alert-channel.ts';
import { post } from './post.ts';

/** ntfy makes an attachment of a longer text. */
const MOST_BYTES = 3_900;
/** From 1 (silent) to 5. */
const PRIORITY = { critical: 5, warning: 4, notice: 3 } as const;

const TAGS: Record<AlertMessage['event'], string> = {
  opened: 'warning',
  resolved: 'white_check_mark',
  summary: 'warning',
  digest: 'clipboard',
  test: 'bell',
};

/** The beginning of a text that fits into so many bytes of UTF-8. */
function cut(text: string, most: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return text;
  return `${bytes
    .subarray(0, most)
    .toString('utf8')
    .replace(/\uFFFD+$/, '')}…`;
}

/** A topic at an ntfy server (docs.ntfy.sh/publish, as JSON). @param url ends with the topic */
export function createNtfyChannel({ url, token }: { url: string; token: string | undefined }): AlertChannel {
  const server = new URL(url);
  const topic = server.pathname.split('/').at(-1)!;
  server.pathname = server.pathname.slice(0, -topic.length);
  return {
    name: 'ntfy',
    send: ({ event, severity, title, text, link }) =>
      post(
        server.href,
        {
          topic,
          title,
          message: cut(text, MOST_BYTES),
          priority: event === 'resolved' ? PRIORITY.notice : PRIORITY[severity],
          tags: [TAGS[event]],
          ...(URL.canParse(link) && { click: link }),
        },
        token ? { authorization: `Bearer ${token}` } : {},
      ),
  };
}
