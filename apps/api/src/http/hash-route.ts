import { isLanguage } from '@fixpoint/contract/languages.ts';

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/**
 * Where a link leads whose `#` was lost (`/en/order?plan=…`) or escaped (`/%23/en/order`), as mail
 * gateways and messengers do: to the hash route, with its query; `/status`, as people type it, to that
 * page. Undefined for any other address.
 */
export function hashRouteOf(url: string): string | undefined {
  const [, escaped] = /^\/%(?:25)?23\/?(.*)$/s.exec(url) ?? [];
  if (escaped !== undefined) {
    // Where the `?` is escaped, all of it is.
    const route = escaped.includes('?') ? escaped : decoded(escaped);
    return `/#/${route.replace(/^\/+/, '')}`;
  }
  if (/^\/status\/?(\?|$)/.test(url)) return '/#/status';
  const [, language] = /^\/([^/?]+)/.exec(url) ?? [];
  return isLanguage(language) ? `/#${url}` : undefined;
}
