import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { orderStatuses } from '../live.ts';
import {
  company,
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

/** Price of one cycle of a plan. `renewal` is the gross price of every later cycle. */
const planPrice = z.object({
  cycleCount,
  ...money.shape,
  renewal: minor,
  /** An introductory price for the first year (12 months), lower than that of renewals. */
  firstYear: z.boolean(),
});
const plan = z.object({
  id,
  category: z.string(),
  /** Number of devices, which is the maximum number of keys. */
  devices: z.int(),
  /** Fair-use figure per month, shown with the usage; nothing is ever cut off. */
  dataTransferGb: z.int(),
  /** Line rate in Mbit/s. */
  rateMbit: z.int(),
  /** Whether a port of the fixed IP can be forwarded to a device. */
  portForward: z.boolean(),
  prices: z.array(planPrice),
});
/** A combination of plan, cycle and location that can be bought. */
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
  /** When the next cycle would begin if it were paid now, and when it is charged (earlier). */
  renewsAt: instant,
  billedAt: instant,
  /** Another rate of VAT, in basis points, that payments contain from a day on, where that is soon or before the next one. */
  comingVat: z.object({ rateBp: z.int(), from: instant }).optional(),
});

/** Proration credit of a subscription for one that takes its place, gross. */
const replacement = z.object({
  id,
  currency,
  /** Remaining days, including the current one, and what was paid for them. */
  days: z.int(),
  unused: minor,
  /** Its current product. */
  product,
});

/** Another plan for a running subscription. */
const planChange = z.object({
  begins: instant,
  /** Names of the keys that the plan has no room for: they end when it begins. */
  surplusKeys: z.array(z.string()),
  /** Names of the keys whose limit exceeds the new line rate and is removed. */
  liftedLimits: z.array(z.string()),
  /** The forwarded port that the plan change closes. */
  closedPort: z.int().optional(),
  /**
   * Only for an immediate change, gross: `total.price` is `price` minus `unused`, and `rest`
   * becomes credit.
   */
  now: z
    .object({
      /** Remaining days, including the current one. */
      days: z.int(),
      unused: minor,
      price: minor,
      rest: minor,
      /** The amount due, where no payment method takes so little: the next renewal collects it. */
      carried: minor.optional(),
    })
    .optional(),
});

const orderState = z.object({
  /** UUID shape; the same reference as in the metadata. */
  reference: z.string(),
  status: z.enum(orderStatuses),
  version: z.int(),
  total: money,
  /** Part of the total that the customer's credit pays. */
  credit: minor.optional(),
  /** Part of the total that unused days of the replaced subscription pay. */
  prorated: minor.optional(),
  ...tried,
});

const consent = {
  metadata,
  paymentMethod,
  /** Version of the accepted terms; stored with the order (S46). */
  termsVersion: z.string().min(1, 'form.terms.required').max(40),
  /** Compared with the server's price; a difference is refused. */
  price: z.strictObject({ currency, price: minor }),
  /**
   * The company that the invoice is made out to; null: nobody but the buyer. Absent: what the customer has saved, and nobody
   * for a visitor. A customer's is saved for later invoices.
   */
  company: company.nullable().optional(),
  humanCheck,
};

/** Order of a logged-in customer. */
const ownOrder = z.strictObject({
  ...consent,
  ...payBy,
  /** Compared with the credit that the server would use; a difference is refused. */
  credit: minor.optional(),
  /** Compared with the server's proration credit; a difference is refused. */
  prorated: minor.optional(),
});

export const orderCalls = {
  getAllPlan: endpoint({
    method: 'GET',
    path: '/v1/order/getAllPlan',
    auth: 'visitor',
    public: true,
    summary: 'Plans of a category with their prices in a currency',
    query: z.strictObject({
      category: id.default('vpn'),
      currency: currency.optional(),
      /** Without `currency`: the first of these that the shop sells in, else its own. */
      preferred: z
        .string()
        .regex(/^[A-Z]{3}(,[A-Z]{3}){0,4}$/)
        .optional(),
    }),
    data: z.object({
      currency,
      currencies: z.array(currency),
      vatRate: z.number(),
      plans: z.array(plan),
      /** Payment methods of this shop for the currency. */
      payBy: z.array(paymentMethod),
      /** Those of them that a renewal can be charged to. */
      renewBy: z.array(paymentMethod),
    }),
  }),
  getVendor: endpoint({
    method: 'GET',
    path: '/v1/order/getVendor',
    auth: 'visitor',
    summary: 'Locations of plans: providers, regions, vendors and the combinations on offer',
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
          /** No address is free there now, so a buyer has to wait. */
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
    summary: 'Product and price of a combination of plan, cycle and location',
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
    buys: 'always',
    auth: 'any',
    role: 'buyer',
    rights: 'application',
    limit: 'beginOrder',
    summary: 'Begin an order: a draft, named by its metadata string',
    body: z.strictObject({
      category: id.default('vpn'),
      productId: id,
      currency,
      subscriptionId: id.optional(),
      /** A subscription that the new one replaces: another location or cycle. */
      replaces: id.optional(),
      humanCheck,
    }),
    data: z.object({ metadata, expiresAt: instant }),
  }),
  purchase: endpoint({
    method: 'POST',
    path: '/v1/order/purchase',
    buys: 'always',
    auth: 'visitor',
    once: true,
    limit: 'pay',
    summary: 'Purchase by a visitor with an email address; answers how to pay, token = socket token',
    body: z.strictObject({ ...consent, email, language }),
    data: orderState,
    token: true,
  }),
  purchaseLogin: endpoint({
    method: 'POST',
    path: '/v1/order/purchaseLogin',
    buys: 'always',
    auth: 'customer',
    role: 'buyer',
    rights: 'application',
    once: true,
    limit: 'pay',
    records: true,
    summary: 'Purchase by a logged-in customer',
    body: ownOrder,
    data: orderState,
    token: true,
  }),
  purchaseReactivate: endpoint({
    method: 'POST',
    path: '/v1/order/purchaseReactivate',
    buys: 'always',
    auth: 'customer',
    role: 'buyer',
    rights: 'application',
    once: true,
    limit: 'pay',
    records: true,
    summary: 'Buy a new period for an expired subscription; 4003 when it has not expired',
    body: ownOrder,
    data: orderState,
    token: true,
  }),
  confirmPurchase: endpoint({
    method: 'POST',
    path: '/v1/order/confirmPurchase',
    buys: 'card',
    auth: 'visitor',
    once: true,
    limit: 'askPayment',
    summary: 'Poll the provider for the payment and settle; with `card`, pay by it first',
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
      /** Whether it changes the plan of a subscription, or is a reactivation whose payment became credit. */
      changesPlan: z.boolean(),
      /** The subscription that it replaces. */
      replaces: id.optional(),
      renewal: minor,
      renewsAt: instant.optional(),
      /** Overpayment that became credit, once it is paid. */
      surplus: minor.optional(),
      /** The buyer's address, masked (`s***@example.com`). */
      email: z.string().optional(),
      /** Seconds until the email to a visitor may be sent again, once it is fulfilled. */
      /** Whether the email that leads on from the purchase is sent. */
      emailed: z.boolean(),
      /**
       * Whether the renewal can be charged to the method that paid. Absent where credit paid alone: then it depends on what
       * the customer has saved.
       */
      charged: z.boolean().optional(),
      resendIn: z.int().optional(),
      /** Present once it is fulfilled. */
      subscription: z
        .object({
          id,
          status: z.enum(['provisioning', 'active', 'pastDue', 'expired']),
          address: z.string().optional(),
          /** Result of the host's delivery check; absent: not checked yet. */
          tested: z.boolean().optional(),
        })
        .optional(),
    }),
  }),
  getData: endpoint({
    method: 'GET',
    path: '/v1/order/getData',
    auth: 'customer',
    role: 'buyer',
    // Needs the capacity of a location, which a customer's rights do not show.
    rights: 'application',
    summary: 'Pre-fill an order from a subscription (re-activation, upgrade)',
    query: z.strictObject({
      id,
      /** Another plan for it: adds what the change would do and cost. */
      planId: id.optional(),
    }),
    data: pricedProduct.extend({
      /** The address that would come back, and until when; absent: it would get another one. */
      held: z.object({ address: z.string(), until: instant }).optional(),
      /** Its location has no free address, so no order of it can begin. */
      full: z.boolean().optional(),
      change: planChange.optional(),
    }),
  }),
  /** Not one of the 46 calls of W48. */
  getReplacement: endpoint({
    method: 'GET',
    path: '/v1/order/getReplacement',
    auth: 'customer',
    role: 'buyer',
    summary: 'Proration credit of a subscription for a replacement; 7004 (`id`) while it cannot be replaced',
    query: z.strictObject({ id }),
    data: replacement,
  }),
  getPaymentMethod: endpoint({
    method: 'GET',
    path: '/v1/order/getPaymentMethod',
    auth: 'visitor',
    summary: 'Payment methods for the order with this reference',
    query: z.strictObject({ id }),
    data: z.object({
      methods: z.array(z.object({ method: paymentMethod, renewsByItself: z.boolean() })),
    }),
  }),
};
