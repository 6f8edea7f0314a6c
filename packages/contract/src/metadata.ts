/**
 * Order metadata: a string of fields joined by `|`. Upgrades and re-activations add the
 * subscription.
 *
 * `fixpoint|1|<category>|<order reference, UUID shape>|<product id>|<order check value>[|<subscription id>]`
 */
export type OrderMetadata = {
  category: string;
  /** 128 random bits in UUID shape. Without its dashes it is the socket token of the order. */
  reference: string;
  productId: string;
  /** Random; what the client sends in `orderCheck`. */
  check: string;
  subscriptionId?: string;
};

const BRAND = 'fixpoint';
const VERSION = '1';

export function formatMetadata(m: OrderMetadata): string {
  const fields = [BRAND, VERSION, m.category, m.reference, m.productId, m.check];
  if (m.subscriptionId) fields.push(m.subscriptionId);
  return fields.join('|');
}

/** Undefined for anything that `formatMetadata` cannot have created. */
export function parseMetadata(text: string): OrderMetadata | undefined {
  const [brand, version, category, reference, productId, check, subscriptionId, ...rest] = text.split('|');
  if (brand !== BRAND || version !== VERSION || rest.length > 0) return undefined;
  if (!category || !reference || !productId || !check || subscriptionId === '') return undefined;
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(reference)) return undefined;
  return { category, reference, productId, check, ...(subscriptionId && { subscriptionId }) };
}

/** Token of the order's live socket: the order reference without dashes (O2). */
export const socketToken = (reference: string): string => reference.replaceAll('-', '');
