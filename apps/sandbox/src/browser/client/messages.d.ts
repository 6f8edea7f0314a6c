/** The text of a key in a language; English where there is none. */
export function message(locale: string, key: string): string;
