import type { FastifyReply } from 'fastify';

/** Escapes text for HTML content and quoted attributes. */
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);

/** Markup that needs no escaping. */
export type Html = { readonly html: string };

/** Builds markup: every value is escaped unless it is markup itself or a list of it. */
export function html(strings: TemplateStringsArray, ...values: (string | number | Html | Html[])[]): Html {
  const shown = values.map(value => {
    if (Array.isArray(value)) return value.map(one => one.html).join('');
    return typeof value === 'object' ? value.html : escapeHtml(String(value));
  });
  return { html: String.raw({ raw: strings }, ...shown) };
}

/**
 * Sends a page under a strict policy: own scripts and styles only, not framed unless
 * `frameAncestors` allows it.
 */
export function sendPage(
  reply: FastifyReply,
  page: {
    title: string;
    body: Html;
    script?: string;
    frameAncestors?: string[];
    /** Targets of its forms; none without it. */
    formAction?: string[];
    more?: string;
    data?: Record<string, string>;
  },
): FastifyReply {
  const attributes = Object.entries(page.data ?? {}).map(([name, value]) => html` data-${name}="${value}"`);
  const document = html`<!doctype html>
<html lang="en"${attributes}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title}</title>
<link rel="stylesheet" href="/_assets/page.css">
${page.script ? html`<script type="module" src="${page.script}"></script>` : ''}
</head>
<body>
${page.body}
</body>
</html>
`;
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    `form-action ${page.formAction?.join(' ') ?? "'none'"}`,
    `frame-ancestors ${page.frameAncestors?.join(' ') ?? "'none'"}`,
    ...(page.more ? [page.more] : []),
  ];
  return reply
    .header('content-security-policy', policy.join('; '))
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .header('x-content-type-options', 'nosniff')
    .type('text/html; charset=utf-8')
    .send(document.html);
}
