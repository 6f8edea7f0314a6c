import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { language } from '../schema.ts';

const document = z.object({ version: z.string(), html: z.string() });

/** Global calls of spec section 7: texts, maintenance flag, terms and policy. */
export const textCalls = {
  getMaintainerStatus: endpoint({
    method: 'GET',
    path: '/v1/order/getMaintainerStatus',
    auth: 'visitor',
    summary: 'MAINTENANCE while buying is blocked, else NORMAL',
    data: z.enum(['NORMAL', 'MAINTENANCE']),
  }),
  uiText: endpoint({
    method: 'GET',
    path: '/v1/uiText/lang',
    auth: 'visitor',
    summary: 'The text bundle of a language, and its version',
    query: z.strictObject({ lang: language }),
    data: z.object({ version: z.string(), uiText: z.record(z.string(), z.string()) }),
  }),
  getTerm: endpoint({
    method: 'GET',
    path: '/v1/order/getTerm',
    auth: 'visitor',
    summary: 'Terms of service as HTML, in the language of Accept-Language',
    data: document,
  }),
  getPolicy: endpoint({
    method: 'GET',
    path: '/v1/order/getPolicy',
    auth: 'visitor',
    summary: 'Privacy policy as HTML, in the language of Accept-Language',
    data: document,
  }),
};
