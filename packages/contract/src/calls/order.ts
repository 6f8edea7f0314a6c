import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { orderStatuses } from '../live.ts';
import {
  country,
  currency,
  cycleCount,
  email,
  id,
  instant,
  language,
  metadata,
  minor,
  money,
} from '../schema.ts';
import { payBy, paymentMethod, providerRef, tried } from './paying.ts';
import { humanCheck } from './session.ts';

/** What one cycle of a plan costs. `renewal` is the gross price of every later cycle. */
const planPrice = z.object({
  cycleCount,
  ...money.shape,
  renewal: minor,
  /** An introductory price for the first year (12 months), lower than the renewal. */
  firstYear: z.boolean(),
});
const plan = z.object({
  id,
  category: z.string(),
  /** Number of devices = maximum number of keys. */
  devices: z.int(),
  /** Fair-use figure per month that usage is shown against; nothing is ever cut off. */
  dataTransferGb: z.int(),
  /** Line rate in Mbit/s. */
  rateMbit: z.int(),
  /** Whether a port of the fixed IP can lead to a device. */
  portForward: z.boolean(),
  prices: z.array(planPrice),
});
/** An exact thing to buy: plan, cycle and the place where it runs. */
const product = z.object({
  id,
  planId: id,
  cycleCount,
  providerId: id,
  regionId: id,
  vendorId: id,
  devices: z.int(),
  dataTransferGb: z.int(),
  rateMbit: z.int(),
  portForward: z.boolean(),
});
const place = z.object({ id, name: z.string() });
const pricedProduct = z.object({
  product,
  total: money,
  vatRate: z.number(),
  renewal: minor,
  firstYear: z.boolean(),
  /** When the next cycle would begin if it were paid now, and when that is charged, which is before. */
  renewsAt: instant,
  billedAt: instant,
});

/** What a subscription has left for one that takes its place, gross. */
const replacement = z.object({
  id,
  currency,
  /** Days that are left, with the one that has begun, and what was paid for them. */
  days: z.int(),
  unused: minor,
  /** What it is of now. */
  product,
});

/** Another plan for a subscription that runs. */
const planChange = z.object({
  begins: instant,
  /** Names of the keys that it has no room for: they end as it begins. */
  surplusKeys: z.array(z.string()),
  /** Names of the keys whose limit is above its line, and ends then. */
  liftedLimits: z.array(z.string()),
  /** The port that is open now, and is closed then. */
  closedPort: z.int().optional(),
  /** Of one that begins at once, gross: `total.price` is `price` less `unused`, and `rest` becomes credit. */
  now: z
    .object({
      /** Days that are left, with the one that has begun. */
      days: z.int(),
      unused: minor,
      price: minor,
      rest: minor,
    })
    .optional(),
});

const orderState = z.object({
  /** UUID shape; the same reference as in the metadata. */
  reference: z.string(),
  status: z.enum(orderStatuses),
  version: z.int(),
  total: money,
  /** What of the total the customer's credit pays. */
  credit: minor.optional(),
  /** What of it the unused days pay of the subscription whose place it takes. */
  prorated: minor.optional(),
  ...tried,
});

const consent = {
  metadata,
  paymentMethod,
  /** Version of the terms that were ticked; stored with the order (S46). */
  termsVersion: z.string().min(1, 'form.terms.required').max(40),
  /** Only compared with the server's price; a difference is refused. */
  price: z.strictObject({ currency, price: minor }),
  humanCheck,
};

/** What a customer sends for an order of his own. */
const ownOrder = z.strictObject({
  ...consent,
  ...payBy,
  /** Only compared with what the server would use of the customer's credit; a difference is refused. */
  credit: minor.optional(),
  /** The same of what unused days of another subscription pay. */
  prorated: minor.optional(),
});

export const orderCalls = {
  getAllPlan: endpoint({
    method: 'GET',
    path: '/v1/order/getAllPlan',
    auth: 'visitor',
    public: true,
    summary: 'Plans of a category with their prices in a currency',
    query: z.strictObject({ category: id.default('vpn'), currency: currency.optional() }),
    data: z.object({
      currency,
      currencies: z.array(currency),
      vatRate: z.number(),
      plans: z.array(plan),
      /** What an order in this currency can be paid with here. */
      payBy: z.array(paymentMethod),
    }),
  }),
  getVendor: endpoint({
    method: 'GET',
    path: '/v1/order/getVendor',
    auth: 'visitor',
    summary: 'Where a plan can run: providers, regions, vendors and which of them go together',
    query: z.strictObject({ provider: id.optional(), region: id.optional(), vendor: id.optional() }),
    data: z.object({
      providers: z.array(place),
      regions: z.array(place.extend({ country, latitude: z.number(), longitude: z.number() })),
      vendors: z.array(place),
      offers: z.array(
        z.object({
          providerId: id,
          regionId: id,
          vendorId: id,
          /** Can be bought now. */
          available: z.boolean(),
          /** No address is free there now: a buyer waits for one. */
          waits: z.boolean(),
        }),
      ),
    }),
  }),
  getProduct: endpoint({
    method: 'POST',
    path: '/v1/order/getProduct',
    auth: 'visitor',
    reads: true,
    summary: 'The product and its price for a choice of plan, cycle and place',
    body: z.strictObject({
      planId: id,
      cycleCount,
      providerId: id,
      regionId: id,
      vendorId: id,
      currency,
    }),
    data: pricedProduct,
  }),
  getMetaData: endpoint({
    method: 'POST',
    path: '/v1/order/getMetaData',
    auth: 'any',
    rights: 'application',
    limit: 'beginOrder',
    summary: 'Begin an order: a draft, named by its metadata string',
    body: z.strictObject({
      category: id.default('vpn'),
      productId: id,
      currency,
      subscriptionId: id.optional(),
      /** A subscription whose place the new one takes: another location or other months. */
      replaces: id.optional(),
    }),
    data: z.object({ metadata, expiresAt: instant }),
  }),
  purchase: endpoint({
    method: 'POST',
    path: '/v1/order/purchase',
    auth: 'visitor',
    once: true,
    limit: 'pay',
    summary: 'A visitor buys with an e-mail address; answers what is needed to pay, token = socket token',
    body: z.strictObject({ ...consent, email, language }),
    data: orderState,
    token: true,
  }),
  purchaseLogin: endpoint({
    method: 'POST',
    path: '/v1/order/purchaseLogin',
    auth: 'customer',
    rights: 'application',
    once: true,
    limit: 'pay',
    summary: 'The same for a customer who is logged in',
    body: ownOrder,
    data: orderState,
    token: true,
  }),
  purchaseReactivate: endpoint({
    method: 'POST',
    path: '/v1/order/purchaseReactivate',
    auth: 'customer',
    rights: 'application',
    once: true,
    limit: 'pay',
    summary: 'Buy a new period for a lapsed subscription; 4003 when it has not expired',
    body: ownOrder,
    data: orderState,
    token: true,
  }),
  confirmPurchase: endpoint({
    method: 'POST',
    path: '/v1/order/confirmPurchase',
    auth: 'visitor',
    once: true,
    limit: 'askPayment',
    summary: 'Ask the provider how the payment stands, and settle; with `card`, pay by it first',
    body: z.strictObject({ metadata, card: providerRef.optional(), humanCheck }),
    data: orderState,
  }),
  purchaseData: endpoint({
    method: 'POST',
    path: '/v1/order/purchaseData',
    auth: 'visitor',
    reads: true,
    summary: 'State of an order for the order and success pages',
    body: z.strictObject({ metadata }),
    data: orderState.extend({
      product,
      /** It gives a subscription another plan. */
      changesPlan: z.boolean(),
      /** The subscription whose place it takes. */
      replaces: id.optional(),
      renewal: minor,
      renewsAt: instant.optional(),
      /** What was paid beyond the price and becomes credit, once it is paid. */
      surplus: minor.optional(),
      /** The address as the buyer typed it, masked (`s***@example.com`). */
      email: z.string().optional(),
      /** In how many seconds the email to a visitor may be sent again, once it is fulfilled. */
      resendIn: z.int().optional(),
      /** Present once it is fulfilled. */
      subscription: z
        .object({
          id,
          status: z.enum(['provisioning', 'active', 'pastDue', 'expired']),
          address: z.string().optional(),
          /** Whether its host has connected to it and found what was sold; absent: it has not looked. */
          tested: z.boolean().optional(),
        })
        .optional(),
    }),
  }),
  getData: endpoint({
    method: 'GET',
    path: '/v1/order/getData',
    auth: 'customer',
    // Whether there is room at a place is everybody's.
    rights: 'application',
    summary: 'Pre-fill an order from a subscription (re-activate, upgrade)',
    query: z.strictObject({
      id,
      /** Another plan for it: what changing to that is and costs. */
      planId: id.optional(),
    }),
    data: pricedProduct.extend({
      /** The address that comes back with it, and until when; without it another one comes. */
      held: z.object({ address: z.string(), until: instant }).optional(),
      /** Its place has no other address: no order of it begins now. */
      full: z.boolean().optional(),
      change: planChange.optional(),
    }),
  }),
  /** Beyond the 46 calls of W48. */
  getReplacement: endpoint({
    method: 'GET',
    path: '/v1/order/getReplacement',
    auth: 'customer',
    summary: 'What a subscription has left for one that takes its place; 4003 while it cannot be replaced',
    query: z.strictObject({ id }),
    data: replacement,
  }),
  getPaymentMethod: endpoint({
    method: 'GET',
    path: '/v1/order/getPaymentMethod',
    auth: 'visitor',
    summary: 'What the order with this reference may be paid with',
    query: z.strictObject({ id }),
    data: z.object({
      methods: z.array(z.object({ method: paymentMethod, renewsByItself: z.boolean() })),
    }),
  }),
};
