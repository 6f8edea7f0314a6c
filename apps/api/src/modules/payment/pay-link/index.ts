/**
 * pay-link — the link in an invoice's email, which pays this invoice without a login.
 * Promises: it shows number, period, amount and methods and nothing of the customer; it is over when the invoice is; nothing of
 * the payer is saved.
 */
export { askByLink, type PayLinkDeps, payByLink, readLinkedInvoice } from './pay-link.ts';
export { payTokenFor } from './token.ts';
