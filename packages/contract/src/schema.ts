import { z } from 'zod';
import { type BuyerDetails, RECIPIENTS_MAX } from './buyer-details.ts';
import {
  codeRule,
  deviceLabelRule,
  emailRule,
  type FieldRule,
  freeTextRule,
  keyNameRule,
  normalCode,
  normalEmail,
  PORT_MAX,
  PORT_MIN,
  passwordRule,
  plainDigits,
  RATE_MIN,
} from './fields.ts';
import { languageCodes } from './languages.ts';

/**
 * Schemas shared by the call tables. A refused value names the key of the text to show
 * (`issue.message`).
 */
const ruled = (rule: FieldRule, max: number) =>
  z
    .string()
    .max(max)
    .superRefine((value, ctx) => {
      const textKey = rule(value);
      if (textKey) ctx.addIssue({ code: 'custom', message: textKey });
    });

export const email = ruled(emailRule, 320).transform(normalEmail);
export const newPassword = ruled(passwordRule, 1024);
/** A password that is only compared, since its rule may have been another one when it was set. */
export const password = z.string().min(1, 'form.password.required').max(1024);
export const code = ruled(codeRule, 32).transform(normalCode);
export const keyName = ruled(keyNameRule, 200);
export const deviceLabel = ruled(deviceLabelRule, 200).transform(label => label.trim());
/** Typed text to search for. */
export const search = z.string().trim().max(100);
/** Free text that is stored. */
export const freeText = ruled(freeTextRule, 1000);
export const language = z.enum(languageCodes);
export const currency = z.string().regex(/^[A-Z]{3}$/);
/** ISO 3166-1 alpha-2. */
export const country = z.string().regex(/^[A-Z]{2}$/);
export const id = z.string().regex(/^[A-Za-z0-9_.-]{1,80}$/);
export const metadata = z.string().max(400);
export const cycleCount = z.union([z.literal(1), z.literal(3), z.literal(6), z.literal(12)]);
/** Instant in UTC. */
export const instant = z.iso.datetime();
/** A customer's limit for a key in Mbit/s; never above the line rate. */
export const rateLimit = z
  .int('form.rate.invalid')
  .min(RATE_MIN, 'form.rate.invalid')
  .max(100_000, 'form.rate.invalid');
/** A forwarded port of a fixed IP. */
export const forwardedPort = z
  .int('form.port.invalid')
  .min(PORT_MIN, 'form.port.invalid')
  .max(PORT_MAX, 'form.port.invalid');
/** Integer hundredths of the currency's main unit, for every currency (M1). */
export const minor = z.int();

/** Gross price and its parts; `price = net + vat` always. */
export const money = z.object({ currency, price: minor, net: minor, vat: minor });

const companyField = z
  .string()
  .max(120, 'form.company.unprintable')
  .superRefine((value, ctx) => {
    const textKey = freeTextRule(value);
    if (textKey) ctx.addIssue({ code: 'custom', message: textKey });
  });
/** A number of a company, typed in the digits of any supported language. */
const companyNumber = (max: number, textKey: string) =>
  z.string().max(max, textKey).transform(plainDigits).optional();
/** The company of an invoice, as typed; the rules of its country are checked by the server (`checkBuyer`). */
export const company = z.strictObject({
  name: companyField,
  country: z.string().regex(/^[A-Z]{2}$/, 'form.company.country'),
  line1: companyField,
  line2: companyField.optional(),
  city: companyField.optional(),
  region: companyField.optional(),
  postcode: companyNumber(20, 'form.company.postcode'),
  taxId: companyNumber(40, 'form.company.taxId'),
  branch: companyNumber(20, 'form.company.branch'),
  purchaseOrder: z.string().max(60, 'form.company.unprintable').optional(),
  recipients: z
    .array(z.string())
    .max(RECIPIENTS_MAX, 'form.company.recipients')
    // One fault of the field, whichever of the addresses is wrong.
    .superRefine((all, ctx) => {
      const isWrong = all.some(address => emailRule(address) !== undefined);
      if (isWrong) ctx.addIssue({ code: 'custom', message: 'form.company.recipients' });
    })
    .transform(all => all.map(normalEmail))
    .optional(),
}) satisfies z.ZodType<BuyerDetails, unknown>;

/** Answer of a call without data. */
export const done = z.object({});
