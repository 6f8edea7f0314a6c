import type { FastifyInstance } from 'fastify';
import { REPORTS_PATH } from './csp-reports.ts';

/** Origins of the payment page's script, calls and frames. */
export type ProviderOrigins = { script: string[]; connect: string[]; frame: string[] };

/** Stripe's origins (by its guide on policies), or the sandbox's only one. */
export function providerOrigins(scriptUrl: string): ProviderOrigins {
  const { origin } = new URL(scriptUrl);
  const real = origin === 'https://js.stripe.com';
  return {
    script: real ? [origin, 'https://*.js.stripe.com'] : [origin],
    connect: real ? ['https://api.stripe.com'] : [origin],
    frame: real ? [origin, 'https://*.js.stripe.com', 'https://hooks.stripe.com'] : [origin],
  };
}

type Documents = {
  /** Origins under which browsers reach the shop. */
  shop: string[];
  /** Origin of the payment page. */
  pay: string;
  provider: ProviderOrigins;
  /** Hashes of the inline scripts of the shop's page. */
  scripts: string[];
  /** Origins of other frames of the shop's pages (the support chat). */
  frames: string[];
  /** Served over https. */
  secure: boolean;
};

/**
 * Trusted-type policies of the shop's pages: a worker's script, and HTML that is parsed but never
 * inserted as is.
 */
const SHOP_POLICIES = ['fixpoint-worker', 'fixpoint-parse'];

const policy = (directives: Record<string, string[]>): string =>
  Object.entries(directives)
    .map(([name, sources]) => [name, ...new Set(sources)].join(' '))
    .join('; ');

/**
 * Security headers of every answer: pages, calls, errors, files, webhooks (S64–S66). The payment
 * page has its own: it alone loads the card provider's script, and the shop may frame it.
 */
export function securityHeaders(
  app: FastifyInstance,
  { shop, pay, provider, scripts, frames, secure }: Documents,
): void {
  const common = {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'"],
    'frame-src': [pay, ...frames],
    'manifest-src': ["'self'"],
    'form-action': ["'self'"],
    'base-uri': ["'none'"],
    'object-src': ["'none'"],
    'frame-ancestors': ["'none'"],
    'require-trusted-types-for': ["'script'"],
    'report-to': ['csp'],
  };
  const everywhere = {
    'reporting-endpoints': `csp="${REPORTS_PATH}"`,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    ...(secure && { 'strict-transport-security': 'max-age=63072000; includeSubDomains' }),
  };
  const ofShop = {
    ...everywhere,
    'content-security-policy': policy({
      ...common,
      'script-src': [...common['script-src'], ...scripts],
      'trusted-types': SHOP_POLICIES,
    }),
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': `camera=(), geolocation=(), microphone=(), payment=(self "${pay}"), usb=()`,
  };
  const ofPaymentPage = {
    ...everywhere,
    // No `x-frame-options`, which cannot name the shop; browsers that know `frame-ancestors` ignore
    // it.
    'content-security-policy': policy({
      ...common,
      'script-src': ["'self'", ...provider.script],
      'connect-src': ["'self'", ...provider.connect],
      'frame-src': provider.frame,
      'form-action': ["'none'"],
      'frame-ancestors': ["'self'", ...shop],
    }),
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=*, usb=()',
  };
  app.addHook('onSend', (request, reply, _payload, done) => {
    reply.headers(/^\/pay\.html(\?|$)/.test(request.url) ? ofPaymentPage : ofShop);
    done();
  });
}
