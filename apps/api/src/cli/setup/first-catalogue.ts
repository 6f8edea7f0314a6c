import type { Machine } from './machine.ts';
import type { Settings } from './settings-file.ts';

/** Places whose names the shop has in every language. */
const places: Record<string, { region: string; country: string; latitude: number; longitude: number }> = {
  Bangkok: { region: 'th-bkk', country: 'TH', latitude: 13.76, longitude: 100.5 },
  Singapore: { region: 'sg-sin', country: 'SG', latitude: 1.35, longitude: 103.82 },
  Tokyo: { region: 'jp-tyo', country: 'JP', latitude: 35.68, longitude: 139.69 },
};

/** Three answers make a starting catalogue: one plan, at one place. In a file of answers they have these names. */
const questions = {
  FIRST_PLACE: `Where your first VPN host is: ${Object.keys(places).join(', ')}`,
  FIRST_PRICE: 'What a month costs there, VAT included, such as 199.00',
  FIRST_VAT: 'Rate of VAT in the country of sale, in per cent, such as 7',
} as const;

/** Names that a file of answers may have and that are no settings. */
export const firstNames = Object.keys(questions);

const rules: Record<keyof typeof questions, RegExp> = {
  FIRST_PLACE: new RegExp(`^(${Object.keys(places).join('|')})$`),
  FIRST_PRICE: /^[1-9]\d{0,8}(\.\d{1,2})?$/,
  FIRST_VAT: /^\d{1,2}(\.\d{1,2})?$/,
};

/**
 * The starting catalogue, from answers that were given or are asked for.
 * @returns undefined when nobody answers
 */
export async function firstCatalogue(
  given: Settings,
  settings: Settings,
  { ask, say }: Pick<Machine, 'ask' | 'say'>,
): Promise<string | undefined> {
  const answers: Settings = {};
  for (const [name, asks] of Object.entries(questions) as [keyof typeof questions, string][]) {
    let answer: string | undefined = given[name] ?? (await ask(`  ${asks}: `))?.trim();
    while (answer !== undefined && !rules[name].test(answer)) {
      say(`  ${answer} is no answer to: ${asks}`);
      answer = (await ask(`  ${asks}: `))?.trim();
    }
    if (answer === undefined) return undefined;
    answers[name] = answer;
  }
  return catalogueText(answers, settings);
}

function catalogueText(answers: Settings, { SALE_COUNTRY, DEFAULT_CURRENCY }: Settings): string {
  const { region, country, latitude, longitude } = places[answers.FIRST_PLACE!]!;
  const price = Number(answers.FIRST_PRICE);
  // Ten months for twelve, in whole hundredths.
  const year = Math.round(price * 1000) / 100;
  return `# The starting catalogue. Change it, then: fixpoint catalogue import /etc/fixpoint/catalogue.yaml
# /usr/share/doc/fixpoint/examples/catalogue.yaml explains every line.
vat:
  ${SALE_COUNTRY}: ${answers.FIRST_VAT}
providers:
  own-rack: Our own rack
vendors:
  fixpoint: Fixpoint
regions:
  ${region}: { name: ${answers.FIRST_PLACE}, country: ${country}, latitude: ${latitude}, longitude: ${longitude} }
places:
  - { provider: own-rack, region: ${region}, vendor: fixpoint }
plans:
  solo:
    devices: 2
    dataTransferGb: 500
    rateMbit: 50
    prices:
      ${DEFAULT_CURRENCY}: { 1: ${price}, 12: ${year} }
`;
}
