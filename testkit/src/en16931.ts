/** An XML element. The shop's documents have no comments and no self-closing tags. */
type Element = { name: string; attributes: Record<string, string>; text: string; children: Element[] };

/** @throws when tags do not nest or something stands outside the root element */
function readXml(xml: string): Element {
  const root: Element = { name: '', attributes: {}, text: '', children: [] };
  const open = [root];
  const plain = (text: string) => text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
  for (const [, end, name, attributes, text] of xml
    .replace(/^<\?xml[^>]*\?>/, '')
    .matchAll(/<(\/?)([\w:]+)([^<>]*)>([^<>]*)/g)) {
    if (end) {
      if (open.pop()!.name !== name) throw new Error(`</${name}> closes nothing`);
    } else {
      const pairs = [...attributes!.matchAll(/([\w:]+)="([^"]*)"/g)].map(([, key, value]) => [key!, value!]);
      const element = {
        name: name!,
        attributes: Object.fromEntries(pairs),
        text: plain(text!),
        children: [],
      };
      open.at(-1)!.children.push(element);
      open.push(element);
    }
  }
  if (open.length !== 1 || root.children.length !== 1) throw new Error('Not one document');
  return root.children[0]!;
}

/**
 * Order of the child elements that we use (CII D16B). A child that its parent does not list is a fault, and so is one in
 * the wrong place. Elements without an entry hold text alone.
 */
const ORDER: Record<string, string> = {
  CrossIndustryInvoice: 'ExchangedDocumentContext ExchangedDocument SupplyChainTradeTransaction',
  ExchangedDocumentContext: 'GuidelineSpecifiedDocumentContextParameter',
  GuidelineSpecifiedDocumentContextParameter: 'ID',
  ExchangedDocument: 'ID TypeCode IssueDateTime',
  IssueDateTime: 'DateTimeString',
  SupplyChainTradeTransaction:
    'IncludedSupplyChainTradeLineItem ApplicableHeaderTradeAgreement ApplicableHeaderTradeDelivery ApplicableHeaderTradeSettlement',
  IncludedSupplyChainTradeLineItem:
    'AssociatedDocumentLineDocument SpecifiedTradeProduct SpecifiedLineTradeAgreement SpecifiedLineTradeDelivery SpecifiedLineTradeSettlement',
  AssociatedDocumentLineDocument: 'LineID',
  SpecifiedTradeProduct: 'Name',
  SpecifiedLineTradeAgreement: 'NetPriceProductTradePrice',
  NetPriceProductTradePrice: 'ChargeAmount',
  SpecifiedLineTradeDelivery: 'BilledQuantity',
  SpecifiedLineTradeSettlement: 'ApplicableTradeTax SpecifiedTradeSettlementLineMonetarySummation',
  ApplicableTradeTax:
    'CalculatedAmount TypeCode ExemptionReason BasisAmount CategoryCode RateApplicablePercent',
  SpecifiedTradeSettlementLineMonetarySummation: 'LineTotalAmount',
  ApplicableHeaderTradeAgreement: 'SellerTradeParty BuyerTradeParty BuyerOrderReferencedDocument',
  SellerTradeParty: 'ID Name PostalTradeAddress SpecifiedTaxRegistration',
  BuyerTradeParty:
    'ID Name SpecifiedLegalOrganization PostalTradeAddress URIUniversalCommunication SpecifiedTaxRegistration',
  SpecifiedLegalOrganization: 'ID',
  URIUniversalCommunication: 'URIID',
  BuyerOrderReferencedDocument: 'IssuerAssignedID',
  PostalTradeAddress: 'PostcodeCode LineOne LineTwo CityName CountryID CountrySubDivisionName',
  SpecifiedTaxRegistration: 'ID',
  ApplicableHeaderTradeSettlement:
    'PaymentReference InvoiceCurrencyCode ApplicableTradeTax BillingSpecifiedPeriod SpecifiedTradePaymentTerms SpecifiedTradeSettlementHeaderMonetarySummation InvoiceReferencedDocument',
  BillingSpecifiedPeriod: 'StartDateTime EndDateTime',
  StartDateTime: 'DateTimeString',
  EndDateTime: 'DateTimeString',
  SpecifiedTradePaymentTerms: 'Description',
  SpecifiedTradeSettlementHeaderMonetarySummation:
    'LineTotalAmount TaxBasisTotalAmount TaxTotalAmount GrandTotalAmount TotalPrepaidAmount DuePayableAmount',
  InvoiceReferencedDocument: 'IssuerAssignedID',
};

const local = ({ name }: Element): string => name.replace(/^\w+:/, '');

function orderFaults(element: Element): string[] {
  const allowed = ORDER[local(element)]?.split(' ') ?? [];
  const places = element.children.map(child => allowed.indexOf(local(child)));
  return [
    ...element.children
      .filter((_, i) => places[i]! < 0 || places[i]! < (places[i - 1] ?? 0))
      .map(child => `order: ${local(child)} in ${local(element)}`),
    ...element.children.flatMap(orderFaults),
  ];
}

/** All elements at the end of a path of names, starting at an element. */
const at = (element: Element, path: string): Element[] =>
  path
    .split('/')
    .reduce(
      (found, name) => found.flatMap(each => each.children.filter(child => local(child) === name)),
      [element],
    );

/** Amount in whole hundredths, so that no sum is rounded. NaN: absent, or more than two decimals (BR-DEC). */
function minorAt(element: Element, path: string): number {
  const { text } = at(element, path)[0] ?? { text: '' };
  return /^-?\d+(\.\d{1,2})?$/.test(text) ? Math.round(Number(text) * 100) : Number.NaN;
}

/** @param step smallest amount of the currency, in hundredths; the VAT of each line may be rounded by half of it */
export function en16931Faults(xml: string, step = 1): string[] {
  const root = readXml(xml);
  const [document] = at(root, 'ExchangedDocument') as [Element];
  const [trade] = at(root, 'SupplyChainTradeTransaction') as [Element];
  const [head] = at(trade, 'ApplicableHeaderTradeSettlement') as [Element];
  const [sums] = at(head, 'SpecifiedTradeSettlementHeaderMonetarySummation') as [Element];
  const [seller] = at(trade, 'ApplicableHeaderTradeAgreement/SellerTradeParty') as [Element];
  const [buyer] = at(trade, 'ApplicableHeaderTradeAgreement/BuyerTradeParty') as [Element];
  const buyerVat = at(buyer, 'SpecifiedTaxRegistration/ID');
  const textOf = (element: Element, path: string) => at(element, path)[0]?.text ?? '';
  const total = (name: string) => minorAt(sums, name);
  const sum = (amounts: number[]) => amounts.reduce((all, amount) => all + amount, 0);
  const taxOf = (tax: Element) => ({
    category: textOf(tax, 'CategoryCode'),
    rate: textOf(tax, 'RateApplicablePercent'),
  });
  const lines = at(trade, 'IncludedSupplyChainTradeLineItem').map(line => ({
    ...taxOf(at(line, 'SpecifiedLineTradeSettlement/ApplicableTradeTax')[0]!),
    id: textOf(line, 'AssociatedDocumentLineDocument/LineID'),
    item: textOf(line, 'SpecifiedTradeProduct/Name'),
    net: minorAt(
      line,
      'SpecifiedLineTradeSettlement/SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount',
    ),
    price: minorAt(line, 'SpecifiedLineTradeAgreement/NetPriceProductTradePrice/ChargeAmount'),
    quantity: Number(textOf(line, 'SpecifiedLineTradeDelivery/BilledQuantity')),
  }));
  const taxes = at(head, 'ApplicableTradeTax').map(tax => ({
    ...taxOf(tax),
    vat: minorAt(tax, 'CalculatedAmount'),
    basis: minorAt(tax, 'BasisAmount'),
    reason: textOf(tax, 'ExemptionReason'),
  }));
  const registered = at(seller, 'SpecifiedTaxRegistration/ID').length > 0;
  const categories = new Set([...lines, ...taxes].map(({ category }) => category));
  const linesOf = (tax: { category: string; rate: string }) =>
    lines.filter(({ category, rate }) => category === tax.category && rate === tax.rate);
  const from = textOf(head, 'BillingSpecifiedPeriod/StartDateTime/DateTimeString');
  const until = textOf(head, 'BillingSpecifiedPeriod/EndDateTime/DateTimeString');

  const rules: Record<string, boolean> = {
    'BR-02': textOf(document, 'ID') !== '',
    'BR-03': /^\d{8}$/.test(textOf(document, 'IssueDateTime/DateTimeString')),
    'BR-04': ['380', '381', '384'].includes(textOf(document, 'TypeCode')),
    'BR-05': /^[A-Z]{3}$/.test(textOf(head, 'InvoiceCurrencyCode')),
    'BR-06': textOf(seller, 'Name') !== '',
    'BR-07': textOf(buyer, 'Name') !== '',
    'BR-10': at(buyer, 'PostalTradeAddress').length === 1,
    'BR-11': /^[A-Z]{2}$/.test(textOf(buyer, 'PostalTradeAddress/CountryID')),
    // BT-48: one VAT-ID at most, which begins with the code of its country (EL for Greece).
    'BR-CO-09': buyerVat.every(
      ({ text, attributes }) =>
        attributes.schemeID === 'VA' &&
        text.slice(0, 2) === textOf(buyer, 'PostalTradeAddress/CountryID').replace('GR', 'EL'),
    ),
    'BT-48 occurs once': buyerVat.length <= 1,
    'BR-63': at(buyer, 'URIUniversalCommunication/URIID').every(
      ({ attributes }) => attributes.schemeID !== undefined,
    ),
    'BR-09': /^[A-Z]{2}$/.test(textOf(seller, 'PostalTradeAddress/CountryID')),
    'BR-16': lines.length > 0,
    'BR-21': new Set(lines.map(({ id }) => id)).size === lines.length,
    'BR-25': lines.every(({ item }) => item !== ''),
    'BR-27': lines.every(({ price }) => price >= 0),
    'line net = price × quantity': lines.every(({ net, price, quantity }) => net === price * quantity),
    'BR-29': from <= until,
    'BR-55': textOf(document, 'TypeCode') === '380' || at(head, 'InvoiceReferencedDocument').length === 1,
    'BR-CO-10': total('LineTotalAmount') === sum(lines.map(({ net }) => net)),
    'BR-CO-13': total('TaxBasisTotalAmount') === total('LineTotalAmount'),
    'BR-CO-14': total('TaxTotalAmount') === sum(taxes.map(({ vat }) => vat)),
    'BR-CO-15': total('GrandTotalAmount') === total('TaxBasisTotalAmount') + total('TaxTotalAmount'),
    'BR-CO-16': total('DuePayableAmount') === total('GrandTotalAmount') - total('TotalPrepaidAmount'),
    'BR-CO-17': taxes.every(tax => {
      const off = Math.abs(tax.vat - (tax.basis * Number(tax.rate)) / 100);
      return off <= linesOf(tax).length * (step / 2) * (1 + Number(tax.rate) / 100) + 1e-6;
    }),
    'BR-CO-18': taxes.length > 0,
    'BR-CO-25':
      !(total('DuePayableAmount') > 0) || textOf(head, 'SpecifiedTradePaymentTerms/Description') !== '',
    'BR-CO-26': textOf(seller, 'ID') !== '',
    'BR-S-01, BR-Z-01, BR-O-01': lines.every(
      line => taxes.filter(tax => tax.category === line.category && tax.rate === line.rate).length === 1,
    ),
    'BR-S-02, BR-Z-02': registered || !(categories.has('S') || categories.has('Z')),
    'BR-S-05': [...lines, ...taxes].every(({ category, rate }) => category !== 'S' || Number(rate) > 0),
    'BR-Z-05': [...lines, ...taxes].every(({ category, rate }) => category !== 'Z' || Number(rate) === 0),
    'BR-O-05': [...lines, ...taxes].every(({ category, rate }) => (category === 'O') === (rate === '')),
    'BR-S-08, BR-Z-08, BR-O-08': taxes.every(tax => tax.basis === sum(linesOf(tax).map(({ net }) => net))),
    'BR-Z-09, BR-O-09': taxes.every(({ category, vat }) => category === 'S' || vat === 0),
    'BR-O-10': taxes.every(({ category, reason }) => (category === 'O') === (reason !== '')),
    'BR-O-11, BR-O-12': !categories.has('O') || categories.size === 1,
  };
  return [...orderFaults(root), ...Object.entries(rules).flatMap(([rule, holds]) => (holds ? [] : [rule]))];
}
