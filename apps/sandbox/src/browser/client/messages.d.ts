/** Returns the text of a key in a language, or in English. */
export function message(locale: string, key: string): string;
