/** A colour in the light and in the dark theme, as #rrggbb. */
export type Pair = readonly [light: string, dark: string];

/** The colours that an operator gave; absent: those of `packages/ui/src/tokens.css`. */
export type BrandColours = { links?: string | undefined; action?: string | undefined };

/** Least contrast of a text with what is behind it (WCAG 2.2, 1.4.3), and of a control with what is around it (1.4.11). */
const [TEXT, EDGE] = [4.5, 3];
const [WHITE, BLACK] = ['#ffffff', '#000000'];
/** Backgrounds of `packages/ui/src/tokens.css`: the page by day, the lightest and the usual surface by night. */
const [CANVAS, NIGHT_RAISED, NIGHT] = ['#fbf9f5', '#201c39', '#17142a'];

const channels = (colour: string): number[] =>
  [1, 3, 5].map(at => Number.parseInt(colour.slice(at, at + 2), 16));

const luminance = (colour: string): number => {
  const [r = 0, g = 0, b = 0] = channels(colour).map(value => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};

/** Contrast of two colours by WCAG 2.2, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** @param share how much of the other colour, 0 to 1 */
const mixed = (colour: string, other: string, share: number): string => {
  const others = channels(other);
  const parts = channels(colour).map((value, at) => Math.round(value + (others[at]! - value) * share));
  return `#${parts.map(part => part.toString(16).padStart(2, '0')).join('')}`;
};

/** The colour with as little of another one as makes it fit. */
function towards(colour: string, other: string, fits: (candidate: string) => boolean): string {
  for (let percent = 0; percent < 100; percent += 1) {
    const candidate = mixed(colour, other, percent / 100);
    if (fits(candidate)) return candidate;
  }
  return other;
}

const softOf = (colour: string): string => mixed(colour, WHITE, 0.91);

const isReadable = (text: string, ...behind: string[]): boolean =>
  behind.every(each => contrast(text, each) >= TEXT);

/** The colour itself where text in it can be read on light surfaces; else the nearest darker one. */
export const readableLinks = (colour: string): string =>
  towards(colour.toLowerCase(), BLACK, each => isReadable(each, CANVAS, WHITE, softOf(each)));

/** The colour itself where white text can be read on it; else the nearest darker one. */
export const readableAction = (colour: string): string =>
  towards(colour.toLowerCase(), BLACK, each => isReadable(WHITE, each));

/**
 * What an operator's colours make of the design tokens that show the brand, by the name of the token. Every text keeps the
 * contrast that a reader needs, in both themes.
 */
export function brandTokens({ links, action }: BrandColours): Record<string, Pair> {
  return {
    ...(links && linkTokens(readableLinks(links))),
    ...(action && actionTokens(readableAction(action))),
  };
}

function linkTokens(day: string): Record<string, Pair> {
  const night = towards(day, WHITE, each => contrast(each, NIGHT_RAISED) >= TEXT + 1.5);
  return {
    indigo: [day, night],
    'indigo-strong': [mixed(day, BLACK, 0.25), mixed(night, WHITE, 0.35)],
    'indigo-line': [mixed(day, WHITE, 0.55), mixed(night, NIGHT, 0.5)],
    'indigo-soft': [softOf(day), mixed(night, NIGHT, 0.88)],
    focus: [day, night],
  };
}

function actionTokens(day: string): Record<string, Pair> {
  // White text stays on it in both themes: only as light as its edge needs.
  const night = towards(day, WHITE, each => contrast(each, NIGHT) >= EDGE);
  return {
    action: [day, night],
    'action-hover': [mixed(day, BLACK, 0.14), mixed(night, BLACK, 0.14)],
    'action-active': [mixed(day, BLACK, 0.27), mixed(night, BLACK, 0.27)],
    point: [day, towards(day, WHITE, each => contrast(each, NIGHT) >= TEXT)],
  };
}
