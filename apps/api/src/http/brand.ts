import { createHash } from 'node:crypto';
import { type BrandColours, brandTokens } from '@fixpoint/domain/brand/palette.ts';
import type { FastifyInstance } from 'fastify';

/** How the operator's shop looks: colours, and a logo as SVG. Empty: as it is built. */
export type Look = BrandColours & { logo?: string | undefined };

/** The style sheet of a look: design tokens in other colours, and the operator's logo in place of the mark. */
function sheetOf({ logo, ...colours }: Look, logoPath: string): string {
  const tokens = Object.entries(brandTokens(colours)).map(
    ([name, [light, dark]]) => `--${name}:light-dark(${light},${dark})`,
  );
  return [
    tokens.length > 0 && `:root{${tokens.join(';')}}`,
    logo && `.logo-mark{background:url("${logoPath}") center/contain no-repeat}.logo-mark>*{display:none}`,
  ]
    .filter(Boolean)
    .join('\n');
}

/**
 * Serves the style sheet and the logo of a shop that does not look as it is built.
 * @returns puts them into a built page, which stays the same without them
 */
export function serveBrand(app: FastifyInstance, look: Look): (html: string) => string {
  const version = createHash('sha256').update(JSON.stringify(look)).digest('base64url').slice(0, 12);
  const { logo } = look;
  const at = (file: string) => `/${file}?${version}`;
  const sheet = sheetOf(look, at('brand.svg'));
  if (!sheet) return html => html;
  const serve = (path: string, type: string, content: string) =>
    app.get(path, { schema: { hide: true } }, (_request, reply) =>
      reply.type(type).header('cache-control', 'public, max-age=31536000, immutable').send(content),
    );
  serve('/brand.css', 'text/css; charset=utf-8', sheet);
  if (logo) serve('/brand.svg', 'image/svg+xml', logo);
  return html => {
    const icon = `<link rel="icon" type="image/svg+xml" href="${at('brand.svg')}" />`;
    // Last, because the tokens of the build have the same weight.
    const dressed = html.replace('</head>', `<link rel="stylesheet" href="${at('brand.css')}" />\n  </head>`);
    return logo ? dressed.replace(/<link rel="icon"[^>]*>/, () => icon) : dressed;
  };
}
