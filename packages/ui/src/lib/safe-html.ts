import { createElement, type ReactNode } from 'react';

/** Tags that legal texts need; of all others only the text stays. */
const ALLOWED = new Set(
  'h2 h3 h4 p ul ol li strong em b i br table thead tbody tr th td dl dt dd a'.split(' '),
);
const DROPPED = new Set(['SCRIPT', 'STYLE', 'TEMPLATE', 'IFRAME']);

type HtmlPolicy = { createHTML(html: string): string };
type TrustedTypes = { createPolicy(name: string, rules: { createHTML(html: string): string }): HtmlPolicy };
let policy: HtmlPolicy | undefined;

/**
 * Parsing runs no script: the parsed document has no window. The page itself never gets the HTML.
 */
function parse(html: string): Document {
  const types = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes;
  policy ??= types?.createPolicy('fixpoint-parse', { createHTML: text => text }) ?? {
    createHTML: text => text,
  };
  return new DOMParser().parseFromString(policy.createHTML(html), 'text/html');
}

/**
 * Converts HTML of the server to React elements: allowed tags without attributes, links with a safe
 * URL.
 */
export function safeHtml(html: string): ReactNode {
  return children(parse(html).body);
}

const children = (node: Node): ReactNode[] => [...node.childNodes].map(element);

function element(node: Node, key: number): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent;
  if (!(node instanceof Element) || DROPPED.has(node.tagName)) return null;
  const tag = node.tagName.toLowerCase();
  if (!ALLOWED.has(tag)) return createElement('span', { key }, children(node));
  const href = tag === 'a' ? node.getAttribute('href') : null;
  const link = href && /^(https:|mailto:|#)/.test(href) ? { href, rel: 'noopener' } : {};
  return createElement(tag, { key, ...link }, ...(tag === 'br' ? [] : children(node)));
}
