import { type BuyerDetails, taxIdKind } from '@fixpoint/contract/buyer-details.ts';
import { escaped } from '@fixpoint/texts/markup.ts';
import type { Seller } from '../../ports/json-columns.ts';

/** An invoice for programs. Amounts are integer hundredths. */
export type CiiInvoice = {
  number: string;
  kind: 'invoice' | 'creditNote' | 'corrected';
  issuedAt: string;
  currency: string;
  seller: Seller;
  /** ISO 3166 code of seller and sale. */
  country: string;
  /** A buyer without a company is their account alone. */
  buyer: { id: string; company?: BuyerDetails & { email?: string | undefined } };
  /** The reference that the payer quotes. */
  reference: string;
  /** Number of the invoice that a credit note or a replacement corrects. */
  ofInvoice?: string;
  period?: { from: string; to: string };
  lines: readonly { item: string; net: number; vat: number; vatRateBp: number; total: number }[];
  net: number;
  vat: number;
  total: number;
  /** The amount due. */
  due: number;
};

const decimal = (minor: number): string => (minor / 100).toFixed(2);
const el = (name: string, content: string, attributes = ''): string =>
  `<${name}${attributes}>${content}</${name}>`;
/** XML has no way to write some characters. All others stay as they are, also those that the page cannot show. */
const inXml = (value: string): string =>
  value.toWellFormed().replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\u{fffd}');
const text = (name: string, value: string, attributes = ''): string =>
  el(name, escaped(inXml(value)), attributes);
const date = (name: string, day: string): string =>
  el(name, el('udt:DateTimeString', day.replaceAll('-', ''), ' format="102"'));

/**
 * An invoice or credit note by EN 16931 in the syntax of UN/CEFACT (Cross Industry Invoice D16B), the one that Factur-X
 * and ZUGFeRD attach to a PDF. Days are `YYYY-MM-DD`.
 */
export function ciiOf(of: CiiInvoice): string {
  const party = (name: string, country: string, more: { id?: string; line?: string; taxId?: string } = {}) =>
    // Identifies the seller to a program (BR-CO-26).
    (more.id ? text('ram:ID', more.id) : '') +
    text('ram:Name', name) +
    el(
      'ram:PostalTradeAddress',
      (more.line ? text('ram:LineOne', more.line) : '') + text('ram:CountryID', country),
    ) +
    // `FC`, the tax office's number: a Thai one has no country prefix, as VAT numbers have.
    (more.taxId ? el('ram:SpecifiedTaxRegistration', text('ram:ID', more.taxId, ' schemeID="FC"')) : '');
  const { seller, country } = of;
  const sellerName = seller.company || seller.brand;
  return `<?xml version="1.0" encoding="UTF-8"?>${el(
    'rsm:CrossIndustryInvoice',
    el(
      'rsm:ExchangedDocumentContext',
      el('ram:GuidelineSpecifiedDocumentContextParameter', el('ram:ID', 'urn:cen.eu:en16931:2017')),
    ) +
      el(
        'rsm:ExchangedDocument',
        text('ram:ID', of.number) +
          el('ram:TypeCode', TYPE_CODES[of.kind]) +
          date('ram:IssueDateTime', of.issuedAt),
      ) +
      el(
        'rsm:SupplyChainTradeTransaction',
        of.lines.map((line, i) => lineOf(line, i, isTaxed(of))).join('') +
          el(
            'ram:ApplicableHeaderTradeAgreement',
            el(
              'ram:SellerTradeParty',
              party(sellerName, country, {
                id: seller.taxId || sellerName,
                line: seller.address,
                taxId: seller.taxId,
              }),
            ) +
              el(
                'ram:BuyerTradeParty',
                of.buyer.company ? companyParty(of.buyer.id, of.buyer.company) : party(of.buyer.id, country),
              ) +
              orderOf(of.buyer.company),
          ) +
          el('ram:ApplicableHeaderTradeDelivery', '') +
          el('ram:ApplicableHeaderTradeSettlement', settlementOf(of)),
      ),
    NAMESPACES,
  )}`;
}

/**
 * A company as the buyer (BT-44 to BT-55). A VAT-ID has its own place; any other tax number is that of the register (BT-47),
 * and a Thai one with its branch also identifies the buyer, as Thai e-tax documents do (18 digits).
 */
function companyParty(accountId: string, of: BuyerDetails & { email?: string | undefined }): string {
  const { name, country, line1, line2, city, region, postcode, taxId, branch, email } = of;
  const isVat = taxIdKind(country) === 'vat';
  const some = (tag: string, value: string | undefined) => (value ? text(tag, value) : '');
  return (
    text('ram:ID', taxId && branch ? `${taxId}${branch}` : accountId) +
    text('ram:Name', name) +
    (taxId && !isVat ? el('ram:SpecifiedLegalOrganization', text('ram:ID', taxId)) : '') +
    el(
      'ram:PostalTradeAddress',
      some('ram:PostcodeCode', postcode) +
        text('ram:LineOne', line1) +
        some('ram:LineTwo', line2) +
        some('ram:CityName', city) +
        text('ram:CountryID', country) +
        some('ram:CountrySubDivisionName', region),
    ) +
    (email ? el('ram:URIUniversalCommunication', text('ram:URIID', email, ' schemeID="EM"')) : '') +
    (taxId && isVat ? el('ram:SpecifiedTaxRegistration', text('ram:ID', taxId, ' schemeID="VA"')) : '')
  );
}

/** The buyer's own order number (BT-13). */
const orderOf = (company: BuyerDetails | undefined): string =>
  company?.purchaseOrder
    ? el('ram:BuyerOrderReferencedDocument', text('ram:IssuerAssignedID', company.purchaseOrder))
    : '';

const TYPE_CODES = { invoice: '380', creditNote: '381', corrected: '384' } as const;

const NAMESPACES = [
  ['rsm', 'CrossIndustryInvoice'],
  ['ram', 'ReusableAggregateBusinessInformationEntity'],
  ['udt', 'UnqualifiedDataType'],
]
  .map(([prefix, name]) => ` xmlns:${prefix}="urn:un:unece:uncefact:data:standard:${name}:100"`)
  .join('');

/** An unregistered seller who takes no VAT sells outside its scope; for any other a rate of 0 is "zero rated" (BR-Z-02). */
const isTaxed = ({ seller, lines }: CiiInvoice): boolean =>
  seller.taxId !== '' || lines.some(({ vatRateBp }) => vatRateBp > 0);

/** @param basis further elements, which the standard orders between type and category */
const taxOf = (rateBp: number, taxed: boolean, basis = ''): string =>
  el('ram:TypeCode', 'VAT') +
  basis +
  (taxed
    ? el('ram:CategoryCode', rateBp > 0 ? 'S' : 'Z') + el('ram:RateApplicablePercent', decimal(rateBp))
    : el('ram:CategoryCode', 'O'));

const lineOf = (line: CiiInvoice['lines'][number], index: number, taxed: boolean): string =>
  el(
    'ram:IncludedSupplyChainTradeLineItem',
    el('ram:AssociatedDocumentLineDocument', el('ram:LineID', String(index + 1))) +
      el('ram:SpecifiedTradeProduct', text('ram:Name', line.item)) +
      el(
        'ram:SpecifiedLineTradeAgreement',
        el('ram:NetPriceProductTradePrice', el('ram:ChargeAmount', decimal(Math.abs(line.net)))),
      ) +
      // The standard allows no negative price (BR-27), so a deduction has the quantity -1.
      el(
        'ram:SpecifiedLineTradeDelivery',
        el('ram:BilledQuantity', line.net < 0 ? '-1' : '1', ' unitCode="C62"'),
      ) +
      el(
        'ram:SpecifiedLineTradeSettlement',
        el('ram:ApplicableTradeTax', taxOf(line.vatRateBp, taxed)) +
          el(
            'ram:SpecifiedTradeSettlementLineMonetarySummation',
            el('ram:LineTotalAmount', decimal(line.net)),
          ),
      ),
  );

function settlementOf(of: CiiInvoice): string {
  const taxed = isTaxed(of);
  const rates = [...new Set(of.lines.map(({ vatRateBp }) => vatRateBp))];
  const sum = (rate: number, part: 'net' | 'vat') =>
    of.lines.filter(line => line.vatRateBp === rate).reduce((total, line) => total + line[part], 0);
  const taxes = rates.map(rate =>
    el(
      'ram:ApplicableTradeTax',
      el('ram:CalculatedAmount', decimal(sum(rate, 'vat'))) +
        taxOf(
          rate,
          taxed,
          // The standard's own wording (BR-O-10), because programs read it.
          (taxed ? '' : el('ram:ExemptionReason', 'Not subject to VAT')) +
            el('ram:BasisAmount', decimal(sum(rate, 'net'))),
        ),
    ),
  );
  const { period } = of;
  return (
    text('ram:PaymentReference', of.reference) +
    el('ram:InvoiceCurrencyCode', of.currency) +
    taxes.join('') +
    (period
      ? el(
          'ram:BillingSpecifiedPeriod',
          date('ram:StartDateTime', period.from) + date('ram:EndDateTime', period.to),
        )
      : '') +
    (of.due === 0 ? '' : el('ram:SpecifiedTradePaymentTerms', text('ram:Description', of.reference))) +
    el(
      'ram:SpecifiedTradeSettlementHeaderMonetarySummation',
      el('ram:LineTotalAmount', decimal(of.net)) +
        el('ram:TaxBasisTotalAmount', decimal(of.net)) +
        el('ram:TaxTotalAmount', decimal(of.vat), ` currencyID="${of.currency}"`) +
        el('ram:GrandTotalAmount', decimal(of.total)) +
        el('ram:TotalPrepaidAmount', decimal(of.total - of.due)) +
        el('ram:DuePayableAmount', decimal(of.due)),
    ) +
    (of.ofInvoice ? el('ram:InvoiceReferencedDocument', text('ram:IssuerAssignedID', of.ofInvoice)) : '')
  );
}
