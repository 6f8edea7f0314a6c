import { z } from 'zod';
import { emailChoices } from '../email-choices.ts';
import { company, instant, language } from '../schema.ts';
import { teamRoles } from '../team-role.ts';

/** Day in Asia/Bangkok, `2026-11-21`. The time of day is left out to protect privacy. */
export const day = z.iso.date();
export const passkey = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: instant,
  lastUsedOn: day.nullable(),
});

/** In the minor unit of its currency. */
const money = { currency: z.string(), amount: z.int() };
const traffic = { downBytes: z.int(), upBytes: z.int() };

/** A device with its use. */
const usedKey = z.object({
  /** Id of its subscription. */
  subscription: z.string(),
  name: z.string(),
  label: z.string().nullable(),
  device: z.string().nullable(),
  forwardedPort: z.int().nullable(),
  createdAt: instant,
  usage: z.array(z.object({ month: z.string(), ...traffic })),
  days: z.array(z.object({ day, ...traffic })),
});

/** Export of a user's data, and of the customer that they founded and own (S83). What is not named here is left out of the answer. */
export const personalData = z.object({
  exportedAt: instant,
  account: z.object({
    id: z.string(),
    email: z.string(),
    name: z.string().optional(),
    accountName: z.string().optional(),
    language,
    createdAt: instant,
    totp: z.boolean(),
    emailsOff: z.array(z.enum(emailChoices)),
    /** Whom the user works for. */
    customers: z.array(z.object({ id: z.string(), name: z.string(), role: z.enum(teamRoles) })),
  }),
  sessions: z.array(
    z.object({
      browser: z.string().nullable(),
      system: z.string().nullable(),
      createdAt: instant,
      lastUsedOn: day,
    }),
  ),
  emailChanges: z.array(z.object({ from: z.string(), to: z.string(), undoUntil: instant })),
  passkeys: z.array(passkey.omit({ id: true })),
  /** The user's own devices at customers whose other data are not in this export. */
  devicesElsewhere: z.array(usedKey.extend({ customer: z.string() })),
  orders: z.array(
    z.object({
      id: z.string(),
      productId: z.string(),
      status: z.string(),
      currency: z.string(),
      price: z.int(),
      /** Of the terms that were accepted with it; `getTerm` answers their wording. */
      termsVersion: z.string().nullable(),
      createdAt: instant,
    }),
  ),
  invoices: z.array(
    z.object({
      number: z.string().nullable(),
      status: z.string(),
      currency: z.string(),
      net: z.int(),
      vat: z.int(),
      total: z.int(),
      createdAt: instant,
      issuedAt: instant.nullable(),
      /** The company that it was made out to. */
      company: company.nullable(),
    }),
  ),
  /** The company that the next invoices are made out to. */
  company: company.nullable(),
  cards: z.array(
    z.object({
      brand: z.string(),
      last4: z.string(),
      expiryMonth: z.int(),
      expiryYear: z.int(),
      holder: z.string().nullable(),
      /** The text that the customer agreed to when the card was saved. */
      consent: z.object({ version: z.string(), language: z.string(), text: z.string() }).nullable(),
      consentedAt: instant.nullable(),
    }),
  ),
  /** Masked, as the shop knows them. */
  paypalAccounts: z.array(z.object({ account: z.string() })),
  goodwill: z.array(z.object({ ...money, reason: z.string(), givenAt: instant })),
  refundedOutOfBand: z.array(z.object({ ...money, reason: z.string(), paidBackAt: instant })),
  refundsWrittenOff: z.array(z.object({ ...money, reason: z.string(), at: instant })),
  /** Open invitations to work for this customer. */
  invitations: z.array(
    z.object({ email: z.string(), role: z.enum(teamRoles), invitedAt: instant, expiresAt: instant }),
  ),
  placeNotices: z.array(z.object({ regionId: z.string(), askedAt: instant, confirmed: z.boolean() })),
  subscriptions: z.array(
    z.object({
      id: z.string(),
      label: z.string().nullable(),
      productId: z.string(),
      status: z.string(),
      address: z.string().nullable(),
      createdAt: instant,
      startedAt: instant.nullable(),
      periodEnd: instant.nullable(),
    }),
  ),
  /** The URL from which firewalls read the customer's addresses, if it is on. */
  allowListUrl: z.object({ createdAt: instant }).nullable(),
  keys: z.array(usedKey),
  /** Emails of the last year: which, about what, and when. */
  sentEmails: z.array(z.object({ email: z.string(), about: z.string().nullable(), at: instant })),
  /** What staff did to the account, with the reason in their words. */
  staffActions: z.array(
    z.object({ operation: z.string(), detail: z.record(z.string(), z.unknown()), at: instant }),
  ),
});

/** Export of a customer that somebody else founded: no log-in, and nobody's use of a device. */
export const accountData = personalData
  .omit({ sessions: true, emailChanges: true, passkeys: true, devicesElsewhere: true })
  .extend({
    account: z.object({ id: z.string(), name: z.string() }),
    keys: z.array(usedKey.omit({ usage: true, days: true })),
  });
