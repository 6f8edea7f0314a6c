import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { language } from '../schema.ts';
import { shopStatuses } from '../shop-status.ts';

/** `version`: an earlier one, as an order names it. */
const legalText = z.strictObject({ version: z.string().max(40).optional() });
const document = z.object({ version: z.string(), html: z.string() });

/** Texts, maintenance flag and legal texts. */
export const textCalls = {
  getMaintainerStatus: endpoint({
    method: 'GET',
    path: '/v1/order/getMaintainerStatus',
    auth: 'visitor',
    summary: 'MAINTENANCE while buying is blocked, else NORMAL',
    data: z.enum(shopStatuses),
  }),
  uiText: endpoint({
    method: 'GET',
    path: '/v1/uiText/lang',
    auth: 'visitor',
    public: true,
    summary: 'Text bundle of a language with its version; only the version if it equals `version`',
    query: z.strictObject({ lang: language, version: z.string().max(64).optional() }),
    data: z.object({ version: z.string(), uiText: z.record(z.string(), z.string()).optional() }),
  }),
  getTerm: endpoint({
    method: 'GET',
    path: '/v1/order/getTerm',
    auth: 'visitor',
    public: true,
    summary: 'Terms of service as HTML, in the language of Accept-Language; also an earlier version of them',
    query: legalText,
    data: document,
  }),
  getPolicy: endpoint({
    method: 'GET',
    path: '/v1/order/getPolicy',
    auth: 'visitor',
    public: true,
    summary: 'Privacy policy as HTML, in the language of Accept-Language; also an earlier version of it',
    query: legalText,
    data: document,
  }),
};
