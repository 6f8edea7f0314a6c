type Address = {
  country: string;
  line1: string;
  line2?: string;
  city?: string;
  region?: string;
  postcode?: string;
};

/** Countries that write from the large to the small. */
const FROM_LARGE = new Set(['JP', 'KR', 'CN', 'TW']);
/** Countries whose postcode stands before the town. */
const POSTCODE_FIRST = new Set(
  'AT BE BG CH CY CZ DE DK EE ES FI FR GR HR IS IT LI LT LU LV MC MT NL NO PL PT RO SE SI SK SM VA MY'.split(
    ' ',
  ),
);

const joined = (by: string, ...parts: (string | undefined)[]): string => parts.filter(Boolean).join(by);

/**
 * An address line by line, as its country writes it on an envelope.
 * @param country the country's name in the reader's language
 */
export function addressLines(of: Address, country: string): string[] {
  const { line1, line2, city, region, postcode } = of;
  const lines = FROM_LARGE.has(of.country)
    ? [postcode, joined(' ', region, city), line1, line2]
    : of.country === 'TH'
      ? [line1, joined(' ', line2, city), joined(' ', region, postcode)]
      : POSTCODE_FIRST.has(of.country)
        ? [line1, line2, joined(' ', postcode, city), region]
        : [line1, line2, joined(', ', city, joined(' ', region, postcode))];
  return [...lines.filter((line): line is string => Boolean(line)), country];
}
