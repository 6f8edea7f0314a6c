import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { country, id, instant } from '../schema.ts';

/** URL of the list, as a path on the shop's API; add `.txt` or `.json`. */
const path = z.string();

/** None of these are among the 46 calls of W48. */
export const allowListCalls = {
  addresses: endpoint({
    method: 'GET',
    path: '/v1/allowList/addresses',
    auth: 'customer',
    role: 'buyer',
    summary: 'Addresses of all subscriptions that have not ended, and the URL from which firewalls read them',
    data: z.object({
      items: z.array(
        z.object({
          subscriptionId: id,
          label: z.string().optional(),
          address: z.string(),
          /** Prefix of the devices' IPv6 addresses, where the place has IPv6. */
          ipv6: z.string().optional(),
          region: z.string(),
          regionId: id,
          country,
          /** Names of the devices that use the address. */
          devices: z.array(z.string()),
          /** Names, or else email addresses, of whose these are; absent where one alone works for the customer. */
          people: z.array(z.string()).optional(),
        }),
      ),
      /** Absent while the URL is off. */
      url: z.object({ path, createdAt: instant }).optional(),
    }),
  }),
  exportAddresses: endpoint({
    method: 'GET',
    path: '/v1/allowList/exportAddresses',
    auth: 'customer',
    role: 'buyer',
    summary: 'The same addresses as a table (CSV)',
    data: z.object({ fileName: z.string(), csv: z.string() }),
  }),
  setUrl: endpoint({
    method: 'POST',
    path: '/v1/allowList/setUrl',
    auth: 'customer',
    role: 'buyer',
    limit: 'changeAllowList',
    records: true,
    summary:
      'Create the URL from which firewalls read the addresses, or turn it off; an earlier one stops working at once',
    body: z.strictObject({ on: z.boolean() }),
    data: z.object({ path: path.optional() }),
  }),
};
